/** What is wanted where Parquet is read or written without its optional package. */
export const PACKAGE = 'the optional package parquet-wasm, as by npm install parquet-wasm';

/** Whether an error says that the package is not installed. */
export function isWithoutPackage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND') &&
    error.message.includes('parquet-wasm')
  );
}
