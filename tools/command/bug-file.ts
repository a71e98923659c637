import type { Bug, Company, CompanyReplayOptions, Replayed, Sandbox } from '../../engine/index.js';
import { sendCall } from '../../engine/control/send.cjs';
import { findPack, isCompanyFile } from './installation.js';
import { readInputFile } from './input-file.js';
import { Exit, Failure } from './output.js';

/** An exported world (`GET /__admin__/export`), and the folder of its pack. */
export interface BugFile {
  readonly file: string;
  readonly bug: Bug;
  readonly pack: string;
}

/**
 * Reads an exported world of one pack.
 * @param pack the pack's folder or name; by default the pack named in the file
 * @throws Failure if the file can't be read, or there is no such pack
 */
export async function readBug(file: string, pack?: string): Promise<BugFile> {
  const bug = readAnyBug(file);
  if (isOfCompany(bug)) throw wrong(file, `is of a ${bug.header.pack.name}, whose packs are compared alone`);
  return { file, bug, pack: await findPack(pack ?? bug.header.pack.name) };
}

/** Exports a served world as the text of a file that `sandbox replay` accepts. */
export async function exportedFile({ url, key }: { readonly url: string; readonly key: string }): Promise<string> {
  const call = { method: 'GET', headers: { Authorization: `Bearer ${key}` } };
  return (await sendCall(`${url}/__admin__/export`, call)).text();
}

/** A replayed file, of one pack or a company. */
export type PlayedFile = Omit<Replayed, 'sandbox'> & { readonly served: Sandbox | Company };

/** A file of one pack or a company, with the function that replays it. */
export interface ReplayFile {
  readonly file: string;
  readonly bug: Bug;
  readonly play: (options: Omit<CompanyReplayOptions, 'cache' | 'packs'>) => Promise<PlayedFile>;
}

/**
 * Reads an exported world of a pack or company.
 * @param pack the pack's folder or name, or a company file; by default those named in the file
 * @throws Failure if the file is invalid, or there is no such pack
 */
export async function readReplay(file: string, pack: string | undefined): Promise<ReplayFile> {
  const { PackCache, replayBug, replayCompany } = await import('../../engine/index.js');
  const cache = PackCache.ofInstallation();
  const bug = readAnyBug(file);
  if (isOfCompany(bug)) {
    const packs = pack === undefined ? {} : await foldersOf(pack);
    const play: ReplayFile['play'] = async (options) => {
      const { company, ...rest } = await replayCompany(bug, { ...options, cache, packs });
      return { ...rest, served: company };
    };
    return { file, bug, play };
  }
  const { pack: folder } = await readBug(file, pack);
  const play: ReplayFile['play'] = async (options) => {
    const { sandbox, ...rest } = await replayBug(bug, { ...options, cache, pack: folder });
    return { ...rest, served: sandbox };
  };
  return { file, bug, play };
}

/** Finds the folders of a company file's packs. @throws Failure if a pack is missing */
async function foldersOf(file: string): Promise<Readonly<Record<string, string>>> {
  if (!isCompanyFile(file))
    throw new Failure(
      Exit.cannotRun,
      'company_invalid',
      `${file} is no company file, and the file is of several packs`,
      'Pass the company file that names them: --pack company.yaml.',
    );
  const { packsOfCompany } = await import('../../engine/company/index.js');
  const named = await packsOfCompany(file);
  return Object.fromEntries(named.map(({ name, pack }) => [name, pack]));
}

/** Reads an exported file of a pack or a company. @throws Failure if the file can't be read */
function readAnyBug(file: string): Bug {
  return parsed(file, readInputFile(file, 'file_invalid'));
}

/** Whether an exported file contains a company instead of one pack. */
export function isOfCompany({ header }: Bug): boolean {
  return header.company !== undefined;
}

function parsed(file: string, given: string): Bug {
  let data: unknown;
  try {
    data = JSON.parse(given);
  } catch {
    throw wrong(file, "isn't JSON");
  }
  if (typeof data !== 'object' || data === null || !('steps' in data && 'header' in data && 'format' in data))
    throw wrong(file, 'is no response of GET /__admin__/export');
  if (!FORMATS.includes(Number(data.format)))
    throw wrong(file, `has format ${String(data.format)}; this version reads format ${FORMATS.join(' and ')}`);
  return data as unknown as Bug;
}

/** Supported format numbers of exported files: 1 for a pack, 2 for a company. */
const FORMATS = [1, 2];

function wrong(file: string, what: string): Failure {
  return new Failure(Exit.wrongInput, 'file_invalid', `${file} ${what}`);
}
