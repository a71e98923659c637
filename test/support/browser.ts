import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where the browser of the tests is. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A real browser without a window. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM))
    throw new Error(
      `these tests open pages in a real browser, and there is none at ${CHROMIUM}: install Chromium ` +
        '(Debian: apt-get install chromium), or say where one is with the environment variable CHROMIUM',
    );
  // Containers that run as root have no user namespaces for the browser's own sandbox.
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}
