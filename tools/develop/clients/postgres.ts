import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../kit/free-port.js';

/** A temporary, empty PostgreSQL server on a free port. */
export interface Postgres {
  readonly url: string;
  /** Process id of the server. */
  pid(): number;
  /** Ends all sessions at once, as a crash does, and starts the server again. */
  restart(): void;
  stop(): void;
}

interface PostgresOptions {
  /** Whether the server flushes to disk, as production servers do; off by default. */
  readonly isDurable?: boolean;
  /** Maximum number of connections. */
  readonly connections?: number;
}

const DEBIAN = '/usr/lib/postgresql';

/** Finds the folder of PostgreSQL's programs; undefined if it isn't installed. */
function programs(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** Whether PostgreSQL is installed. */
export function hasPostgres(): boolean {
  return programs() !== undefined;
}

/** Starts a server; undefined if PostgreSQL isn't installed. PostgreSQL doesn't run as root, so root starts it as the user `postgres`. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres | undefined> {
  const bin = programs();
  if (bin === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const run = (name: string, ...args: readonly string[]): void => {
    execFileSync(join(bin, name), args, { ...user, stdio: 'ignore', cwd: folder });
  };
  const port = await freePort();
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync');
  const settings = [
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`,
    `-c fsync=${options.isDurable ? 'on' : 'off'} -c max_connections=${options.connections ?? 100}`,
  ];
  const start = (): void =>
    run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings.join(' '), 'start');
  const end = (): void => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    restart: () => {
      end();
      start();
    },
    stop: () => {
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a database on the server of a URL, and returns its URL. */
export async function newDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return url.replace(/\w+$/, name);
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
}
