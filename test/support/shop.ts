import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Locator, Page } from 'playwright-core';

/** A shop's server with one page, on another origin than the sandbox. */
export interface Shop {
  readonly origin: string;
  /** Sets the page that the shop serves, and further scripts by path, such as `/app.js`. */
  show(html: string, files?: Readonly<Record<string, string>>): void;
  close(): void;
}

/** Starts the shop's server on a free port. */
export function openShop(): Shop {
  let shown = '';
  let further: Readonly<Record<string, string>> = {};
  const server = createServer(({ url = '/' }, res) => {
    const file = further[url];
    res.setHeader('Content-Type', file === undefined ? 'text/html' : 'text/javascript').end(file ?? shown);
  }).listen(0, '127.0.0.1');
  return {
    get origin() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    show(html, files = {}) {
      shown = html;
      further = files;
    },
    close: () => void server.close(),
  };
}

/** Types a card into the inputs of the browser library, which are in one frame or in three. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const texts = { 'Card number': number, Expiry: '12 / 34', CVC: '123' };
  for (const [label, text] of Object.entries(texts)) await (await inFrame(page, label)).fill(text);
}

/** Waits for the input with a label in any frame. */
async function inFrame(page: Page, label: string): Promise<Locator> {
  for (;;) {
    for (const frame of page.frames().slice(1)) {
      const input = frame.getByLabel(label);
      if ((await input.count()) > 0) return input;
    }
    await page.waitForTimeout(20);
  }
}

/** The frame with the bank's page, in an overlay over the shop's page. */
export function bankIn(page: Page): FrameLocator {
  return page.getByRole('dialog').frameLocator('iframe').frameLocator('#challengeFrame');
}
