import { existsSync, readFileSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { Exit, Failure } from './output.js';

/**
 * Reads a file that the user named; `-` is the standard input.
 * @param code stable, for `--json`
 * @param called kind of file, for the message
 * @param advice what else to try
 * @throws Failure if the file is missing or unreadable, as a usage error
 */
export function readInputFile(file: string, code: string, called = '', advice = ''): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const reason = isNativeError(error) && 'code' in error ? String(error.code) : 'unknown reason';
    throw missing(called + file, code, READING[reason] ?? `cannot be read (${reason})`, advice);
  }
}

/** Checks that a file exists. @param shown the name as the user wrote it @throws Failure if it doesn't */
export function mustExist(path: string, code: string, shown = path, advice = ''): void {
  if (!existsSync(path)) throw missing(shown, code, 'does not exist', advice);
}

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'must not be read',
};

function missing(file: string, code: string, what: string, advice = ''): Failure {
  return new Failure(Exit.cannotRun, code, `${file} ${what}`, advice);
}
