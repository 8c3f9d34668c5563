import { say } from '../flags.mjs';
import { counted, lines, short } from '../lines.mjs';
import { fasterRival, ratio } from './ratio.mjs';

/** One case on the screen. */
export function show({ name, title, rows, groups, strategies, contestants }) {
  const how = strategies.join(', ');
  say(`\n${name}: ${title}; ${counted(rows, 'row')}, ${counted(groups, 'group')}; ours by ${how}`);
  const [ours] = contestants;
  const table = [['', 'runs', 'ms', 'least', 'quartiles', '/ rangefold']];
  for (const { name, timed, milliseconds, failure } of contestants) {
    if (failure !== undefined) continue;
    table.push([
      `${name}, ${timed}`,
      String(milliseconds.runs.length),
      short(milliseconds.median),
      short(milliseconds.least),
      milliseconds.quartiles.map(short).join('..'),
      short(ratio(milliseconds, ours.milliseconds)),
    ]);
  }
  for (const line of lines(table)) say(`  ${line}`);
  for (const { name, failure } of contestants) {
    if (failure !== undefined) say(`  ${name} has no times: ${failure}`);
  }
  const faster = fasterRival({ contestants });
  if (faster !== undefined) say(`  faster rival / rangefold: ${short(faster.ratio)} (${faster.rival})`);
}
