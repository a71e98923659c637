import type { Recording, Files } from './recording.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordingIn } from '../../recordings/read.js';
import type { RecordingSource } from '../../recordings/rules.js';
import { fromDocument } from './documented.js';
import { fromReplayData } from './replay-data.js';
import { fromWireMock } from './wiremock.js';

type FolderAtCommit = Pick<RecordingSource, 'repository' | 'commit' | 'path'>;

const READERS = {
  wiremock: fromWireMock,
  'replay-data': fromReplayData,
  cassettes: fromCassettes,
  documented: fromDocument,
};
const MOST_BYTES = 1 << 30;

/**
 * Reads the recordings of a public repository at a commit, sorted by name. Fetches the repository as a bare one below the folder if it is missing.
 */
export function recordingsOf(source: RecordingSource, folder: string): Recording[] {
  const files = new Map([...repositoryFiles(source, folder)].map(([name, bytes]) => [name, bytes.toString()]));
  return READERS[source.format](files, source.repository).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads the files below a folder ('' for all) of a public repository at a commit, by path. Fetches the repository if it is missing. */
export function repositoryFiles(source: FolderAtCommit, folder: string): ReadonlyMap<string, Buffer> {
  return filesOf(source, gitFolder(source, folder));
}

/** Whether a class of tests is in the fifth that is held out, so that no pack is tuned to it. */
export function isApart(group: string): boolean {
  return createHash('sha1').update(group).digest().readUInt32BE() % 5 === 0;
}

function gitFolder({ repository, commit }: FolderAtCommit, folder: string): string {
  const dir = join(folder, repository.replace('/', '+'), 'repo');
  if (existsSync(dir)) return dir;
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]): unknown => execFileSync('git', ['-C', dir, ...args], { stdio: 'inherit' });
  try {
    git('init', '--bare', '--quiet');
    git('fetch', '--depth', '1', `https://github.com/${repository}`, commit);
  } catch (error) {
    // Deletes the empty repository, which would count as fetched in the next run.
    rmSync(dir, { recursive: true });
    throw error;
  }
  return dir;
}

/** Reads the files of the recordings, except those that the repository's copy lacks. */
function filesOf({ commit, path }: FolderAtCommit, dir: string): ReadonlyMap<string, Buffer> {
  const git = (args: string[], input = ''): Buffer =>
    spawnSync('git', ['-C', dir, ...args], { input, maxBuffer: MOST_BYTES }).stdout;
  const listed = git(['ls-tree', '-r', '-z', commit, ...(path === '' ? [] : [`${path}/`])])
    .toString()
    .split('\0')
    .filter(Boolean);
  const entries = listed.map((line) => ({ sha: line.split(/[ \t]/)[2], name: line.slice(line.indexOf('\t') + 1) }));
  const out = git(['cat-file', '--batch'], entries.map(({ sha }) => `${sha}\n`).join(''));
  const files = new Map<string, Buffer>();
  let at = 0;
  for (const { name } of entries) {
    const end = out.indexOf(10, at);
    const [, kind, size] = out.subarray(at, end).toString().split(' ');
    at = end + 1;
    if (kind !== 'blob') continue;
    files.set(name.slice(path === '' ? 0 : path.length + 1), out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return files;
}

function fromCassettes(files: Files, source: string): Recording[] {
  const recordings = [...files].filter(([name]) => /\.(ya?ml|har|json)$/i.test(name));
  return recordings.map(([name, text]) => ({
    source,
    group: name
      .split('/')
      .slice(0, 2)
      .join('/')
      .replace(/\.json$/, ''),
    name,
    before: [],
    calls: recordingIn(name, text),
  }));
}
