import { count, sum } from 'rangefold';

/** The query of every shape. */
export function queryOf({ keys }) {
  return { by: keys.map(({ name }) => name), aggregates: { count: count(), sum: sum('value') } };
}
