import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { skipped } from './skipped.js';

/** Where what the package @sparticuz/chromium ships is unpacked, once for an installation. */
const UNPACKED = join(process.cwd(), 'node_modules', '.cache', 'chromium');

/** Unpacks it into the folder for temporary files. The variable lets the package bring the libraries as well. */
const UNPACK = `
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();`;

/** A browser as it is started here; undefined where there is none. */
function findBrowser(): LaunchOptions | undefined {
  const installed = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (existsSync(installed)) return { executablePath: installed };
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  if (!existsSync(UNPACKED)) unpack();
  const libraries = [join(UNPACKED, 'al2023', 'lib'), ...(process.env['LD_LIBRARY_PATH']?.split(':') ?? [])];
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_PATH: join(UNPACKED, 'fonts') };
  return { executablePath: join(UNPACKED, 'chromium'), env: env };
}

/** Beside its place and then renamed, since another worker may be at it too. */
function unpack(): void {
  const draft = `${UNPACKED}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const env = { ...process.env, TMPDIR: draft, NODE_OPTIONS: '' };
  execFileSync(process.execPath, ['--input-type=module', '-e', UNPACK], { env, stdio: 'inherit' });
  // Its own file looks for the fonts at places of another machine.
  const fonts = `<fontconfig><dir>${join(UNPACKED, 'fonts')}</dir><cachedir>${join(UNPACKED, 'cache')}</cachedir></fontconfig>`;
  writeFileSync(join(draft, 'fonts', 'fonts.conf'), fonts);
  if (!existsSync(UNPACKED)) renameSync(draft, UNPACKED);
}

const found = findBrowser();

if (!found) skipped('tests in a real browser. Install Chromium, or say with CHROMIUM where it is.');

/** How long a page waits for anything by default, in milliseconds: a machine under load is slow. */
export const PAGE_TIMEOUT_MS = 45_000;

/** `describe` for tests that need a browser: where there is none, they are skipped. One that fails may try again once. */
export function describeInBrowser(name: string, tests: () => void): void {
  // A machine under load is slow in an order that few tests foresee. What failed is printed all the same: look at it.
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
  (found ? describe : describe.skip)(name, tests);
}

/** How a real browser without a window is started; undefined where there is none. */
export function launchOptions(): LaunchOptions | undefined {
  // Containers that run as root have no user namespaces for the browser's own sandbox.
  return found && { ...found, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] };
}

/** A real browser without a window. */
export function openBrowser(): Promise<Browser> {
  const options = launchOptions();
  if (options === undefined) throw new Error('there is no browser on this machine');
  return chromium.launch(options);
}
