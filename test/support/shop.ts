import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Locator, Page } from 'playwright-core';

/** A shop with one page, on an origin of its own, beside the sandbox. */
export interface Shop {
  readonly origin: string;
  /** What its page is from now on, and further files by path, such as `/app.js`. */
  show(html: string, files?: Readonly<Record<string, string>>): void;
  close(): void;
}

/** Opens the shop on a free port. */
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

/** Types a card into the elements of the library for pages: one, or three, each in its frame. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const texts = { 'Card number': number, Expiry: '12 / 34', CVC: '123' };
  for (const [label, text] of Object.entries(texts)) await (await inFrame(page, label)).fill(text);
}

/** The input with a label, in whichever frame it comes up. */
async function inFrame(page: Page, label: string): Promise<Locator> {
  for (;;) {
    for (const frame of page.frames().slice(1)) {
      const input = frame.getByLabel(label);
      if ((await input.count()) > 0) return input;
    }
    await page.waitForTimeout(20);
  }
}

/** The page of the customer's bank, over the shop's page. */
export function bankIn(page: Page): FrameLocator {
  return page.getByRole('dialog').frameLocator('iframe').frameLocator('#challengeFrame');
}
