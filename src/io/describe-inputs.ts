import { inputError } from '../core/errors.js';
import type { Part } from '../core/source.js';
import { type Field, sameType, typeName } from '../core/type.js';
import type { CsvForm } from './csv-form.js';
import type { FoundInput } from './find-inputs.js';
import type { Description } from './part.js';

/** Runs `describe` of a part module, wherever that may be. @param place names the input in errors. */
export type Describe = (module: string, data: unknown, place: string) => Promise<Description>;

/** A part, and what errors call it where its decoder cannot say so itself. */
export interface NamedPart extends Part {
  readonly place: string;
}

/** What several inputs are made of that are one. */
export interface WholeDescription {
  readonly fields: readonly Field[];
  readonly parts: readonly NamedPart[];
  /** Rows in all, where known without reading them. */
  readonly rows: number | undefined;
  /** About how many, where they are not known. */
  readonly approximateRows: number | undefined;
}

/** @throws InputError where an input is damaged, or has other columns than the first. */
export async function describeInputs(
  inputs: readonly FoundInput[],
  describe: Describe,
): Promise<WholeDescription> {
  const described: DescribedInput[] = [];
  for (const { origin, module, form } of inputs) {
    const data =
      form === undefined ? { origin } : { origin, form: { ...form, settled: settledBy(described) } };
    const description = await describe(module, data, origin.name);
    const isTyped = form === undefined || description.rows !== 0;
    described.push({ name: origin.name, module, description, isTyped });
  }
  return join(described);
}

interface DescribedInput {
  readonly name: string;
  readonly module: string;
  readonly description: Description;
  /** A text without rows has names, and its types are nobody's. */
  readonly isTyped: boolean;
}

/** What later texts are held to. */
function settledBy(inputs: readonly DescribedInput[]): CsvForm['settled'] {
  const typed = inputs.find(({ isTyped }) => isTyped);
  return Object.fromEntries(typed?.description.fields.map(({ name, type }) => [name, type]) ?? []);
}

function join(inputs: readonly DescribedInput[]): WholeDescription {
  const model = inputs.find(({ isTyped }) => isTyped) ?? inputs[0];
  const { fields } = model.description;
  for (const input of inputs) requireSameColumns(input, model);
  const parts = inputs.flatMap(({ name, module, description }) =>
    description.parts.map(
      (part, i): NamedPart => ({
        ...part,
        module,
        place: `${name}, part ${i + 1} of ${description.parts.length}`,
      }),
    ),
  );
  const rows = sumOf(inputs, ({ description }) => description.rows);
  const about = sumOf(inputs, ({ description }) => description.rows ?? description.approximateRows);
  return { fields, parts, rows, approximateRows: rows === undefined ? about : undefined };
}

function requireSameColumns(input: DescribedInput, model: DescribedInput): void {
  const { fields } = input.description;
  const wanted = model.description.fields;
  for (let i = 0; i < Math.max(fields.length, wanted.length); i++) {
    const came: Field | undefined = fields[i];
    const want: Field | undefined = wanted[i];
    const place = `${input.name}, column ${JSON.stringify((came ?? want).name)}`;
    const inModel = `in ${model.name}`;
    if (came === undefined)
      throw inputError(place, 'no such column', `${typeName(want.type)}, as ${inModel}`);
    if (want === undefined)
      throw inputError(place, 'one more column', `${wanted.length} columns, as ${inModel}`);
    if (came.name !== want.name) {
      throw inputError(place, `it as column ${i + 1}`, `${JSON.stringify(want.name)}, as ${inModel}`);
    }
    if (input.isTyped && !sameType(came.type, want.type)) {
      throw inputError(place, typeName(came.type), `${typeName(want.type)}, as ${inModel}`);
    }
  }
}

/** Undefined where that of one input is. */
function sumOf(
  inputs: readonly DescribedInput[],
  rowsOf: (input: DescribedInput) => number | undefined,
): number | undefined {
  let sum = 0;
  for (const input of inputs) {
    const rows = rowsOf(input);
    if (rows === undefined) return undefined;
    sum += rows;
  }
  return sum;
}
