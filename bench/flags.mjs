import { parseArgs } from 'node:util';
import { SHAPES, shapeOf } from './data/shapes.mjs';

/**
 * The command line, where `defaults` gives the text of every flag's default, and `switches` are those without a text.
 * `--help` prints `help` and ends.
 * @throws where a flag is unknown.
 */
export function flags(defaults, help, switches = []) {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: value }]),
  );
  for (const name of ['help', ...switches]) options[name] = { type: 'boolean', default: false };
  const { values } = parseArgs({ options });
  if (values.help) {
    say(help);
    process.exit(0);
  }
  return values;
}

/** `10000000`, `10_000_000` and `1e7` are the same number. */
export function whole(flag, text) {
  const number = Number(text.replaceAll('_', ''));
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${flag}: got ${text}, wanted a whole number above 0`);
}

export function wholes(flag, text) {
  return text.split(',').map((one) => whole(flag, one));
}

/** Names of shapes, in the order of the table; `all` is all of them. */
export function shapeNames(text) {
  const names = text === 'all' ? SHAPES.map(({ name }) => name) : text.split(',');
  return names.map((name) => shapeOf(name).name);
}

export function say(line = '') {
  process.stdout.write(`${line}\n`);
}
