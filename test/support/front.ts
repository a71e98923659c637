import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { createSandbox, type Sandbox } from '../../engine/index.js';
import { openBrowser } from './browser.js';
import { openShop, type Shop } from './shop.js';

/** What tests of the library for pages have: a sandbox, a shop beside it, and a page of a browser. */
export interface Front {
  readonly sandbox: Sandbox;
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
  let browser: Browser;
  let front: Pick<Front, 'sandbox' | 'shop' | 'stripe'>;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    const sandbox = await createSandbox({ pack: 'packs/payments', key });
    const { hostname, port } = new URL(sandbox.url);
    const stripe = new Stripe(sandbox.key, { host: hostname, port: Number(port), protocol: 'http' });
    front = { sandbox, stripe, shop: openShop() };
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await front.sandbox.close();
    front.shop.close();
  });
  beforeEach(async () => {
    await front.sandbox.control.reset();
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    opened(page);
  });
  afterEach(() => page.close());

  return {
    get sandbox() {
      return front.sandbox;
    },
    get shop() {
      return front.shop;
    },
    get stripe() {
      return front.stripe;
    },
    get page() {
      return page;
    },
    outcome: (text) => page.locator('output', { hasText: text }).waitFor(),
  };
}
