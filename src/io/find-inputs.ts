import { describe } from '../core/describe.js';
import { queryError } from '../core/errors.js';
import { requireKnown } from '../core/options-of.js';
import type { CsvForm } from './csv-form.js';
import { type CsvOptions, checkCsvOptions } from './csv-options.js';
import { type Location, locate } from './locate.js';
import type { Origin } from './origin.js';
import { type Format, recognise } from './recognise.js';

/** How inputs are opened. */
export interface OpenOptions extends CsvOptions {
  /** Default: by extension (that before `.gz`), else by the first bytes. Compression is seen by the first bytes. */
  readonly format?: Format;
  /** What errors call the inputs, one name each. Default: the path, or the place among the arguments. */
  readonly names?: readonly string[];
}

/** An input whose format is known. */
export interface FoundInput {
  readonly origin: Origin;
  /** The URL of the module that reads it. */
  readonly module: string;
  /** How a text is to be read; absent where it is none. */
  readonly form?: CsvForm;
  readonly isGzip: boolean;
}

/** @throws InputError where an input is missing or of no known form; QueryError for a wrong argument. */
export async function findInputs(
  input: Location | readonly Location[],
  options: OpenOptions,
): Promise<readonly FoundInput[]> {
  const locations: readonly Location[] = isLocations(input) ? input : [input];
  if (locations.length === 0) throw queryError('open(input)', 'an empty array', 'one input at least');
  requireKnown(options, ['format', 'names', 'delimiter', 'header', 'types', 'nullValues']);
  const { format, names } = options;
  if (format !== undefined && !Object.hasOwn(formats, format)) {
    throw queryError('options.format', describe(format), `one of ${Object.keys(formats).join(', ')}`);
  }
  if (names !== undefined && !(Array.isArray(names) && names.length === locations.length)) {
    throw queryError('options.names', describe(names), `an array of ${locations.length} names`);
  }
  const csvForm = checkCsvOptions(options);
  const found: FoundInput[] = [];
  for (const [i, location] of locations.entries()) {
    const origin = await locate(location, locations.length === 1 ? 'input' : `input[${i}]`, names?.[i]);
    const { format: recognised, isGzip } = await recognise(origin, format);
    const { module, isText, delimiter } = formats[recognised];
    found.push({
      origin,
      module: isGzip ? csvGzipModule : module,
      isGzip,
      ...(isText && { form: csvForm(delimiter) }),
    });
  }
  return found;
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
