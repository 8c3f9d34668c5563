/** A whole number with commas. Not by `toLocaleString`, which takes 13 ms the first time a process asks. */
export function thousands(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}
