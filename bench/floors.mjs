/**
 * How far below what was measured a floor is set: the same case twice in one hour differs by as much on a machine that
 * is not ours alone.
 */
const SHARE = 0.8;

/**
 * The floors raised to what a run measured; none is ever lowered. A floor is kept to two digits.
 * @param ratios of cases by name: faster rival / ours.
 */
export function raised(floors, ratios) {
  const names = new Set([...Object.keys(floors), ...Object.keys(ratios)]);
  const entries = [...names].map((name) => {
    const measured = Math.floor(SHARE * (ratios[name] ?? 0) * 100) / 100;
    return [name, Math.max(floors[name] ?? 0, measured)];
  });
  return Object.fromEntries(entries);
}

/** Cases that are below their floor, or that have a floor and no ratio, a line each. */
export function below(floors, ratios) {
  return Object.entries(floors).flatMap(([name, floor]) => {
    const ratio = ratios[name];
    if (ratio !== undefined && ratio >= floor) return [];
    const came = ratio === undefined ? 'no ratio' : ratio.toFixed(2);
    return [`${name}: got ${came}, wanted at least ${floor.toFixed(2)}`];
  });
}
