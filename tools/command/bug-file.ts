import type { Bug } from '../../engine/index.js';
import { findPack } from './installation.js';
import { readInputFile } from './input-file.js';
import { Exit, Failure } from './output.js';

/** A file of `GET /__admin__/export`, and the folder of its pack. */
export interface BugFile {
  readonly file: string;
  readonly bug: Bug;
  readonly pack: string;
}

/**
 * @param pack the pack's folder or name; that of its name unless given
 * @throws Failure when the file cannot be read, or there is no such pack
 */
export async function readBug(file: string, pack?: string): Promise<BugFile> {
  const bug = parsed(file, readInputFile(file, 'file_invalid'));
  return { file, bug, pack: await findPack(pack ?? bug.header.pack.name) };
}

function parsed(file: string, given: string): Bug {
  let data: unknown;
  try {
    data = JSON.parse(given);
  } catch {
    throw wrong(file, 'is no JSON');
  }
  if (typeof data !== 'object' || data === null || !('steps' in data && 'header' in data && 'format' in data))
    throw wrong(file, 'is no response of GET /__admin__/export');
  if (data.format !== FORMAT)
    throw wrong(file, `has format ${String(data.format)}; this version reads format ${FORMAT}`);
  return data as unknown as Bug;
}

const FORMAT = 1;

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.wrongInput, 'file_invalid', `${file} ${what}`);
}
