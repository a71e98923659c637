import { readFileSync } from 'node:fs';

/**
 * Text of a file that somebody named; `-` is the standard input.
 * @param wrong makes the error of what is wrong with the file, which completes a sentence about it
 */
export function readInputFile(file: string, wrong: (what: string) => Error): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw wrong(reason === 'ENOENT' ? 'does not exist' : `cannot be read (${reason})`);
  }
}
