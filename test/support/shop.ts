import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

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

/** Types a card into the inputs of the library for pages. */
export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Month').fill('12');
  await page.getByLabel('Year').fill('2034');
  await page.getByLabel('CVC').fill('123');
}
