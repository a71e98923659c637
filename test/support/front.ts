import type { Browser, Page } from 'playwright-core';
import Stripe from 'stripe';
import { openBrowser, PAGE_TIMEOUT_MS } from './browser.js';
import { openShop, type Shop } from './shop.js';
import { startSandbox, type TestSandbox } from './start-sandbox.js';

/** A shop's server and a browser page, for tests of the browser library. */
interface OpenShop {
  readonly shop: Shop;
  /** The browser page of the running test; each test gets a new one. */
  readonly page: Page;
}

/** The environment of tests of the browser library: a sandbox, a shop's server, and a browser page. */
export interface Front extends OpenShop {
  readonly sandbox: TestSandbox<Stripe>;
  /** The vendor's official client, as the shop's server uses it. */
  readonly stripe: Stripe;
  /** Waits until the `output` element of the shop's page contains a text. */
  readonly outcome: (text: string | RegExp) => Promise<void>;
}

/**
 * Starts a shop and a browser for the tests of a `describe`.
 * @param opened called with the new page before each test
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
 * Starts a sandbox, a shop and a browser for the tests of a `describe`; resets the world before each test.
 * @param key of the sandbox
 * @param opened called with the new page before each test
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
