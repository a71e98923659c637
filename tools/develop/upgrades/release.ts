import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serveBuild, type ServedBuild } from '../kit/served.js';

/** Key of the first world that the servers create. */
export const HOST_KEY = 'sk_test_of_upgrades_0123456789';

/** A built checkout, named by its commit and date. */
export interface Release {
  readonly name: string;
  readonly folder: string;
}

/** Describes the build in a folder by its commit. @param folder a built checkout */
export function releaseIn(folder: string): Release {
  const git = ['-C', folder, 'log', '-1', '--format=%h of %ad', '--date=format:%Y-%m-%d'];
  const name = existsSync(join(folder, '.git')) ? execFileSync('git', git, { encoding: 'utf8' }).trim() : undefined;
  return { name: name ?? basename(folder), folder };
}

/** The error with which a release rejects a store. */
export interface RejectedStart {
  readonly code: string;
  readonly message: string;
}

/** Starts a server of a release with a store. @param more further options of `sandbox serve` */
export async function startRelease(
  { folder }: Release,
  store: string,
  more: readonly string[] = [],
): Promise<ServedBuild | RejectedStart> {
  const options = ['--store', store, '--worlds', 'key', '--key', HOST_KEY, '--port', '0', ...more];
  let log = '';
  try {
    return await serveBuild(['payments', ...options], { folder, onLog: (text) => (log += text) });
  } catch {
    const given = log.split('\n').find((line) => line.startsWith('{')) ?? '{}';
    const { error } = JSON.parse(given) as { readonly error?: RejectedStart };
    return error ?? { code: 'unknown', message: log.trim() };
  }
}
