import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { openBrowser, PAGE_TIMEOUT_MS } from './browser.js';
import { openShop, type Shop } from './shop.js';
import { startSandbox, type TestSandbox } from './start-sandbox.js';

/** A shop's server, and a page of a browser. */
interface OpenShop {
  readonly shop: Shop;
  /** A new one for each test. */
  readonly page: Page;
}

/** What tests of the library for pages have: a sandbox, a shop beside it, and a page of a browser. */
export interface Front extends OpenShop {
  readonly sandbox: TestSandbox<Stripe>;
  /** The vendor's own client, of the shop's server. */
  readonly stripe: Stripe;
  /** Waits until the shop's page says this in its `output`. */
  readonly outcome: (text: string | RegExp) => Promise<void>;
}

/**
 * Keeps a shop and a browser for the tests of a `describe`.
 * @param opened called with each new page
 */
export function useShop(opened: (page: Page) => unknown = () => undefined): OpenShop {
  let browser: Browser;
  let shop: Shop;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    shop = openShop();
  });
  afterAll(async () => {
    await browser.close();
    shop.close();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    await opened(page);
  });
  afterEach(() => page.close());

  return {
    get shop() {
      return shop;
    },
    get page() {
      return page;
    },
  };
}

/**
 * Keeps a front for the tests of a `describe`: the world is emptied before each.
 * @param key of the sandbox
 * @param opened called with each new page
 */
export function useFront(key: string, opened?: (page: Page) => unknown): Front {
  const client = ({ url }: { readonly url: string }): Stripe => {
    const { hostname, port } = new URL(url);
    return new Stripe(key, { host: hostname, port: Number(port), protocol: 'http' });
  };
  const sandbox = startSandbox('packs/payments', { key, reset: {}, client });
  const open = useShop(opened);

  return {
    sandbox,
    get shop() {
      return open.shop;
    },
    get page() {
      return open.page;
    },
    get stripe() {
      return sandbox.client;
    },
    outcome: (text) => open.page.locator('output', { hasText: text }).waitFor(),
  };
}
