import type { Case } from './case.js';

type Uses = (item: Case) => boolean;

const calls =
  (...names: readonly string[]): Uses =>
  ({ aggregates }) =>
    aggregates.some(([fn]) => names.includes(fn));

/** What the parallel engine does not do yet, and which cases ask for it. A row goes when its kernel comes. */
const NOT_OFFERED: ReadonlyMap<string, Uses> = new Map<string, Uses>([
  ['countDistinct', calls('countDistinct')],
  ['variance and stddev', calls('variance', 'stddev')],
  ['covariance and correlation', calls('covariance', 'correlation')],
  ['argMin and argMax', calls('argMin', 'argMax')],
  ['first and last', calls('first', 'last')],
  ['median and quantile', calls('median', 'quantile')],
  ['mode', calls('mode')],
  ['top and bottom', calls('top', 'bottom')],
  ['list', calls('list')],
  ['join', calls('join')],
]);

type Files = readonly (readonly [file: string, cases: readonly Case[]])[];

/** The cases that an engine is to answer; those left out are counted and said. Wrong queries are refused by every engine. */
export function offeredBy(engine: string, files: Files): [file: string, cases: Case[]][] {
  if (!engine.startsWith('parallel')) return files.map(([file, cases]) => [file, [...cases]]);
  const left = new Map<string, number>();
  const isOffered = (item: Case): boolean => {
    if (item.error?.name === 'QueryError') return true;
    const missing = [...NOT_OFFERED].find(([, uses]) => uses(item))?.[0];
    if (missing !== undefined) left.set(missing, (left.get(missing) ?? 0) + 1);
    return missing === undefined;
  };
  const offered = files.map(([file, cases]): [string, Case[]] => [file, cases.filter(isOffered)]);
  for (const [feature, count] of left)
    console.info(`${engine}: ${count} cases are left out, for it does not offer ${feature} yet.`);
  return offered.filter(([, cases]) => cases.length > 0);
}
