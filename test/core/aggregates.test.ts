import { describe, expect, it } from 'vitest';
import type { Aggregate } from '../../dist/core/aggregate.js';
import { type SumOptions, sum } from '../../dist/core/aggregates.js';
import { QueryError } from '../../dist/core/errors.js';

describe('sum', () => {
  it('is a plain frozen value', () => {
    expect(sum('x')).toEqual({ aggregate: 'sum', column: 'x' });
    expect(sum('x', {})).toEqual(sum('x'));
    expect(sum('x', { as: undefined })).toEqual(sum('x'));
    const decimal: Aggregate = sum('x', { as: 'decimal' });
    expect(decimal).toEqual({ aggregate: 'sum', column: 'x', as: 'decimal' });
    expect(Object.isFrozen(decimal)).toBe(true);
  });

  it.each([
    [{ as: 'float' }, /^sum\("x"\), option as: got "float", wanted 'decimal'$/],
    [{ as: null }, /got null/],
    [{ where: 1 }, /^sum\("x"\), option where: got 1, wanted a condition/],
    [{ when: 1 }, /^sum\("x"\): got an option "when", wanted none but where, as/],
    [{ population: true }, /^sum\("x"\), option population: got true, wanted none/],
  ])('refuses %j at once', (options, message) => {
    const make = (): unknown => sum('x', options as unknown as SumOptions);
    expect(make).toThrow(QueryError);
    expect(make).toThrow(message);
  });
});
