/** What more cores would give: work and span, measured with CPU time. */
import { existsSync } from 'node:fs';
import { say } from './flags.mjs';
import { inFreshProcess } from './fresh.mjs';
import { counted, lines, short } from './lines.mjs';

/** Figures in CPU time are the same whatever the cores do besides, but for caches and memory that threads share. */
export async function span(names, rows, workers, turns) {
  const clock = '/proc/thread-self/schedstat';
  if (!existsSync(clock)) throw new Error(`--span: got a system without ${clock}, wanted Linux`);
  say(
    'A PROJECTION, not a measurement of speed: CPU time of one worker / sum over phases of the longest worker;',
  );
  say('static dealing; what the calling thread does counts whole, as serial.');
  const shapes = [];
  for (const name of names) {
    const result = await inFreshProcess(new URL('span-shape.mjs', import.meta.url), {
      name,
      rows,
      workers,
      turns,
    });
    shapes.push(result);
    show(result);
  }
  return shapes;
}

function show({ name, title, rows, results }) {
  const [one] = results;
  const milliseconds = (nanoseconds) => short(nanoseconds / 1e6);
  const phases = [...new Set(results.flatMap((each) => Object.keys(each.phases)))];
  const table = [
    ['', 'work ms', 'span ms', 'serial', ...phases.map((phase) => `${phase} (span)`), 'projected speedup'],
  ];
  for (const each of results) {
    table.push([
      counted(each.workers, 'worker'),
      milliseconds(each.work),
      milliseconds(each.span),
      milliseconds(each.serial),
      ...phases.map((phase) => milliseconds(each.phases[phase]?.span ?? 0)),
      `${(one.work / each.span).toFixed(2)} x ${one.workers === 1 ? '1 worker' : counted(one.workers, 'worker')}`,
    ]);
  }
  say(`\n${name}: ${title}; ${counted(rows, 'row')}, ${counted(one.groups, 'group')}`);
  for (const line of lines(table)) say(`  ${line}`);
}
