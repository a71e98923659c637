import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { openBrowser } from './browser.js';
import { openShop, type Shop } from './shop.js';
import { startSandbox, type TestSandbox } from './start-sandbox.js';

/** What tests of the library for pages have: a sandbox, a shop beside it, and a page of a browser. */
export interface Front {
  readonly sandbox: TestSandbox<Stripe>;
  readonly shop: Shop;
  /** The vendor's own client, of the shop's server. */
  readonly stripe: Stripe;
  /** A new one for each test. */
  readonly page: Page;
  /** Waits until the shop's page says this in its `output`. */
  readonly outcome: (text: string | RegExp) => Promise<void>;
}

/**
 * Keeps a front for the tests of a `describe`: the world is emptied before each.
 * @param key of the sandbox
 * @param opened told of each new page
 */
export function useFront(key: string, opened: (page: Page) => void = () => undefined): Front {
  const client = ({ url }: { readonly url: string }): Stripe => {
    const { hostname, port } = new URL(url);
    return new Stripe(key, { host: hostname, port: Number(port), protocol: 'http' });
  };
  const sandbox = startSandbox('packs/payments', { key, reset: {}, client });
  let browser: Browser;
  let shop: Shop;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = openShop();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    shop.close();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    opened(page);
  });
  afterEach(() => page.close());

  return {
    sandbox,
    get shop() {
      return shop;
    },
    get stripe() {
      return sandbox.client;
    },
    get page() {
      return page;
    },
    outcome: (text) => page.locator('output', { hasText: text }).waitFor(),
  };
}
