import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { skipped } from './skipped.js';

/** Folder in which the browser of the package @sparticuz/chromium is unpacked, once per installation. */
const UNPACKED = join(process.cwd(), 'node_modules', '.cache', 'chromium');

/** Program that unpacks the browser into the folder for temporary files. The environment variable makes the package unpack shared libraries, too. */
const UNPACK = `
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();`;

/** Finds an installed browser, or unpacks the packaged one; undefined if neither is possible. */
function findBrowser(): LaunchOptions | undefined {
  const installed = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (existsSync(installed)) return { executablePath: installed };
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  if (!existsSync(UNPACKED)) unpack();
  const libraries = [join(UNPACKED, 'al2023', 'lib'), ...(process.env['LD_LIBRARY_PATH']?.split(':') ?? [])];
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_PATH: join(UNPACKED, 'fonts') };
  return { executablePath: join(UNPACKED, 'chromium'), env: env };
}

/** Unpacks the browser into a temporary folder and renames the folder, since another worker may be doing the same. */
function unpack(): void {
  const draft = `${UNPACKED}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const env = { ...process.env, TMPDIR: draft, NODE_OPTIONS: '' };
  execFileSync(process.execPath, ['--input-type=module', '-e', UNPACK], { env, stdio: 'inherit' });
  // The packaged fonts.conf names folders that don't exist on this machine.
  const fonts = `<fontconfig><dir>${join(UNPACKED, 'fonts')}</dir><cachedir>${join(UNPACKED, 'cache')}</cachedir></fontconfig>`;
  writeFileSync(join(draft, 'fonts', 'fonts.conf'), fonts);
  if (!existsSync(UNPACKED)) renameSync(draft, UNPACKED);
}

const found = findBrowser();

if (!found) skipped('tests in a real browser. Install Chromium, or say with CHROMIUM where it is.');

/** Default time limit of a page's operations in milliseconds; long, since the machine may be under load. */
export const PAGE_TIMEOUT_MS = 45_000;

/** Like `describe`, for tests that need a browser: skips them if there is none, and repeats a failed test once. */
export function describeInBrowser(name: string, tests: () => void): void {
  // On a machine under load, events arrive in an order that few tests foresee. The first failure is printed even if the repetition passes.
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
  (found ? describe : describe.skip)(name, tests);
}

/** Options to launch a browser without a window; undefined if there is none. */
export function launchOptions(): LaunchOptions | undefined {
  // In containers, root has no user namespaces, which the browser's own sandbox needs.
  return found && { ...found, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] };
}

/** Launches a browser without a window. @throws Error if there is none */
export function openBrowser(): Promise<Browser> {
  const options = launchOptions();
  if (options === undefined) throw new Error('there is no browser on this machine');
  return chromium.launch(options);
}
