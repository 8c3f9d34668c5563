/**
 * Contestants as pages and charts name and colour them, in the order in which they stand there. The colours are those of
 * Okabe and Ito, told apart by the colour-blind.
 */
export const LABELS = {
  rangefold: { label: 'rangefold', colour: '#0072B2' },
  duckdb: { label: 'DuckDB', colour: '#E69F00' },
  'duckdb-unordered': { label: 'DuckDB, any order', colour: '#F0E442' },
  polars: { label: 'Polars', colour: '#009E73' },
  arquero: { label: 'Arquero', colour: '#CC79A7' },
  map: { label: 'Map loop', colour: '#999999' },
  reference: { label: 'reference', colour: '#56B4E9' },
  limit: { label: 'C', colour: '#D55E00' },
  'limit-1': { label: 'C, 1 thread', colour: '#000000' },
};
