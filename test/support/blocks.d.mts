export interface Block {
  readonly language: string;
  readonly code: string;
  readonly line: number;
  readonly file?: string;
  readonly output?: string;
}
export function blocksOf(page: string): Block[];
export function packagesOf(code: string): string[];
export function workplace(folder: string, main: string): string;
export function follow(block: Pick<Block, 'language' | 'code' | 'file'>, folder: string): string;
