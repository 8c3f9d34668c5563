import { createReference } from '../../dist/index.js';
import { contestant } from './rangefold.mjs';

export async function open() {
  return contestant(createReference(), 'reference');
}
