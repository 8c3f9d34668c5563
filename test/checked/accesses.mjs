/** What a kernel may do with memory, and what does it in the checked build. */
const ACCESSES = [
  [/(?<![.\w])load</g, 'checkedLoad<'],
  [/(?<![.\w])store</g, 'checkedStore<'],
  [/\bv128\.load\(/g, 'checkedVector('],
  [/\bv128\.load64_zero\(/g, 'checkedHalf('],
  [/\bv128\.store\(/g, 'checkedPut('],
  [/\bmemory\.fill\(/g, 'checkedFill('],
  [/\bmemory\.copy\(/g, 'checkedCopy('],
];
/** Accesses that nothing stands for: the flag that cancels a run is read atomically. */
const OTHERS =
  /\b(?:v128|memory|atomic)\.(?!load<i32>\(CONTROL_CANCEL\))(?:load|store|copy|fill|add|init)\w*/;

/** A kernel's source with all accesses to memory checked. @throws where it has one for which nothing stands. */
export function checked(content, name) {
  let text = content;
  const names = new Set();
  for (const [access, stands] of ACCESSES) {
    const next = text.replace(access, stands);
    if (next !== text) names.add(stands.slice(0, -1));
    text = next;
  }
  const other = OTHERS.exec(text);
  if (other !== null)
    throw new Error(`${name}: got ${other[0]}, for which nothing stands in the checked build`);
  return names.size === 0 ? text : `import { ${[...names].join(', ')} } from './checked';\n${text}`;
}
