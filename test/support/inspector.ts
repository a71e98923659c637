import type { Browser, Page } from 'playwright-core';
import { PAGE_TIMEOUT_MS } from './browser.js';

export { describeInBrowser, openBrowser } from './browser.js';

/** An open page of the inspector, with errors that the browser reported. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
  /** Requested URLs of other origins; a page must not request any. */
  readonly strangers: string[];
}

/** Opens a screen of the inspector with the link that `serve` prints; the timeline by default. */
export async function openInspector(
  browser: Browser,
  { url, key }: { readonly url: string; readonly key: string },
  path = '/__admin__/',
  screen = 'timeline',
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const watched: Watched = { page, complaints: [], strangers: [] };
  page.on('console', (message) => {
    // Rejected requests don't count as errors of the page: the browser logs each response with an error status.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      watched.complaints.push(message.text());
  });
  page.on('pageerror', (error) => watched.complaints.push(error.message));
  page.on('request', (request) => {
    const to = new URL(request.url());
    if (to.protocol !== 'data:' && to.protocol !== 'blob:' && to.origin !== new URL(url).origin)
      watched.strangers.push(request.url());
    if (request.url().includes(key)) watched.complaints.push(`the key stands in ${request.url()}`);
  });
  await page.goto(`${url}${path}#key=${encodeURIComponent(key)}&/${screen}`);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  return watched;
}
