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
  const bug = readAnyBug(file);
  if (isOfCompany(bug)) throw wrong(file, `is of a ${bug.header.pack.name}, which 'sandbox replay' repeats`);
  return { file, bug, pack: await findPack(pack ?? bug.header.pack.name) };
}

/** Also that of a company. @throws Failure when the file cannot be read */
export function readAnyBug(file: string): Bug {
  return parsed(file, readInputFile(file, 'file_invalid'));
}

/** Whether a file is of several packs in one world. */
export function isOfCompany({ header }: Bug): boolean {
  return header.company !== undefined;
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
  if (!FORMATS.includes(Number(data.format)))
    throw wrong(file, `has format ${String(data.format)}; this version reads format ${FORMATS.join(' and ')}`);
  return data as unknown as Bug;
}

/** Of one pack, and of several. */
const FORMATS = [1, 2];

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.wrongInput, 'file_invalid', `${file} ${what}`);
}
