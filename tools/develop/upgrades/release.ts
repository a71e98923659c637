import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The key of the first world. */
export const HOST_KEY = 'sk_test_of_upgrades_0123456789';
/** What starts a build, the newest first. */
const STARTS = ['dist/app/cli.cjs', 'dist/tools/cli.js'];

/** A build of a commit. */
export interface Release {
  readonly name: string;
  readonly folder: string;
}

/** @param folder a checkout that is built */
export function releaseIn(folder: string): Release {
  const git = ['-C', folder, 'log', '-1', '--format=%h of %ad', '--date=format:%Y-%m-%d'];
  const name = existsSync(join(folder, '.git')) ? execFileSync('git', git, { encoding: 'utf8' }).trim() : undefined;
  return { name: name ?? basename(folder), folder };
}

/** Why a release does not start with a store. */
export interface RejectedStart {
  readonly code: string;
  readonly message: string;
}

/** A release that serves the worlds of a store. */
export class ServedRelease {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** @param more further options */
  static async start(
    { folder }: Release,
    store: string,
    more: readonly string[] = [],
  ): Promise<ServedRelease | RejectedStart> {
    const start = STARTS.map((each) => join(folder, each)).find((each) => existsSync(each));
    if (start === undefined) throw new Error(`${folder} is not built: npm run build`);
    const options = ['--store', store, '--worlds', 'key', '--key', HOST_KEY, '--port', '0', '--json', ...more];
    const child = spawn(process.execPath, [start, 'serve', 'payments', ...options]);
    let [out, err] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const announced = new Promise<ServedRelease>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        const url = /^\{"url":"([^"]+)"/m.exec(out)?.[1];
        if (url !== undefined) resolve(new ServedRelease(child, url.replace('localhost', '127.0.0.1')));
      });
    });
    const gone = once(child, 'close').then((): RejectedStart => {
      const given = err.split('\n').find((line) => line.startsWith('{')) ?? '{}';
      const { error } = JSON.parse(given) as { readonly error?: RejectedStart };
      return error ?? { code: 'unknown', message: err.trim() };
    });
    return Promise.race([announced, gone]);
  }

  async stop(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }
}
