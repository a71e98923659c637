import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A release of the vendor's client for Node. */
export interface ClientRelease {
  /** Name and version, such as `stripe 20.4.1`. */
  readonly name: string;
  /** The API version that this release sends. */
  readonly version: string;
  /** Folder of the package; null: the client that the project is tested with. */
  readonly folder: string | null;
}

/** The last release of each major version; each sends another version of the API. */
const MAJORS = { s18: 'npm:stripe@^18', s19: 'npm:stripe@^19', s20: 'npm:stripe@^20', s22: 'npm:stripe@^22' };
const INSTALL_MS = 300_000;

const run = promisify(execFile);

/**
 * Installs the releases to check against: those between the project's own two, outside of the project. Returns all, with the project's own.
 * @throws if npm can't install them
 */
export async function releases(project: string): Promise<ClientRelease[]> {
  const folder = join(tmpdir(), 'vendor-sandbox-versions');
  const file = join(folder, 'package.json');
  const wanted = JSON.stringify({ name: 'versions', private: true, dependencies: MAJORS }, null, 2);
  mkdirSync(folder, { recursive: true });
  const isInstalled = existsSync(join(folder, 'node_modules')) && readFileSync(file, 'utf8') === wanted;
  if (!isInstalled) {
    writeFileSync(file, wanted);
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, timeout: INSTALL_MS });
  }
  return [
    { ...releaseIn(join(project, 'node_modules', 'stripe')), folder: null },
    ...Object.keys(MAJORS).map((name) => releaseIn(join(folder, 'node_modules', name))),
    releaseIn(join(project, 'node_modules', 'stripe-newest')),
  ];
}

function releaseIn(folder: string): ClientRelease {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  const [, api = ''] =
    /'(\d{4}-\d\d-\d\d[^']*)'/.exec(readFileSync(join(folder, 'esm', 'apiVersion.js'), 'utf8')) ?? [];
  if (api === '') throw new Error(`stripe ${version} does not say which version of the API it sends`);
  return { name: `stripe ${version}`, version: api, folder };
}
