import { describe } from '../core/describe.js';
import { inputError, queryError } from '../core/errors.js';
import type { Source } from '../core/source.js';
import { type Field, sameType, typeName } from '../core/type.js';
import type { CsvForm } from './csv-form.js';
import { type CsvOptions, checkCsvOptions } from './csv-options.js';
import { createDecoder, type Decoder } from './decoder.js';
import { type Location, locate } from './locate.js';
import type { Origin } from './origin.js';
import type { Description } from './part.js';
import { type Format, recognise } from './recognise.js';
import { createSource, type NamedPart } from './source.js';

export interface OpenOptions extends CsvOptions {
  /** Default: by extension (that before `.gz`), else by the first bytes. Compression is seen by the first bytes. */
  readonly format?: Format;
}

/**
 * Opens Parquet, Arrow IPC (file or stream), CSV or TSV, the two texts also compressed with gzip. Several inputs are one
 * source in the order given; they need the same columns. Only what describes them is read, and that on a thread of its own.
 * @throws InputError where an input is missing, damaged or of another form; QueryError for a wrong argument.
 */
export async function open(
  input: Location | readonly Location[],
  options: OpenOptions = {},
): Promise<Source> {
  const locations: readonly Location[] = isLocations(input) ? input : [input];
  if (locations.length === 0) throw queryError('open(input)', 'an empty array', 'one input at least');
  const { format } = options;
  if (format !== undefined && !Object.hasOwn(formats, format)) {
    throw queryError('options.format', describe(format), `one of ${Object.keys(formats).join(', ')}`);
  }
  const csvForm = checkCsvOptions(options);
  const origins: Origin[] = [];
  for (const [i, location] of locations.entries()) {
    origins.push(await locate(location, locations.length === 1 ? 'input' : `input[${i}]`));
  }
  const decoder = createDecoder();
  try {
    const inputs: OpenedInput[] = [];
    for (const origin of origins) {
      const recognised = await recognise(origin, format);
      const { isText, delimiter } = formats[recognised.format];
      const module = recognised.isGzip ? csvGzipModule : formats[recognised.format].module;
      const form = isText ? { ...csvForm(delimiter), settled: settledBy(inputs) } : undefined;
      inputs.push(await describeInput(decoder, origin, module, form));
    }
    return assemble(inputs);
  } finally {
    await decoder.close();
  }
}

function isLocations(input: Location | readonly Location[]): input is readonly Location[] {
  return Array.isArray(input);
}

interface FormatEntry {
  readonly module: string;
  readonly isText: boolean;
  readonly delimiter: string;
}

const formats: Readonly<Record<Format, FormatEntry>> = {
  parquet: { module: moduleUrl('./parquet-part.js'), isText: false, delimiter: '' },
  arrow: { module: moduleUrl('./arrow-part.js'), isText: false, delimiter: '' },
  csv: { module: moduleUrl('./csv-part.js'), isText: true, delimiter: ',' },
  tsv: { module: moduleUrl('./csv-part.js'), isText: true, delimiter: '\t' },
};

const csvGzipModule = moduleUrl('./csv-gzip-part.js');

function moduleUrl(path: string): string {
  return new URL(path, import.meta.url).href;
}

interface OpenedInput {
  readonly name: string;
  readonly module: string;
  readonly description: Description;
  /** A text without rows has names, and its types are nobody's. */
  readonly isTyped: boolean;
}

async function describeInput(
  decoder: Decoder,
  origin: Origin,
  module: string,
  form: CsvForm | undefined,
): Promise<OpenedInput> {
  const data = form === undefined ? { origin } : { origin, form };
  const description = await decoder.describe(module, data, origin.name);
  return { name: origin.name, module, description, isTyped: form === undefined || description.rows !== 0 };
}

/** What later texts are held to. */
function settledBy(inputs: readonly OpenedInput[]): CsvForm['settled'] {
  const typed = inputs.find(({ isTyped }) => isTyped);
  return Object.fromEntries(typed?.description.fields.map(({ name, type }) => [name, type]) ?? []);
}

function assemble(inputs: readonly OpenedInput[]): Source {
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
  const rows = inputs.reduce<number | undefined>(
    (sum, { description }) =>
      sum === undefined || description.rows === undefined ? undefined : sum + description.rows,
    0,
  );
  return createSource(fields, parts, rows);
}

function requireSameColumns(input: OpenedInput, model: OpenedInput): void {
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
