import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oidc from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, PAGE_TIMEOUT_MS } from '../../support/browser.js';
import { startSandbox } from '../../support/start-sandbox.js';

/** An application that signs people in, in a real browser without scripts: the pages of packs/identity, and their cookies. */

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const ANN = { email: 'ann@example.com', name: 'Ann', password: 'Correct-Horse-1' };

describeInBrowser('signing in', () => {
  const id = startSandbox('packs/identity', { key: 'mgmt_browser' });
  let browser: Browser;
  let app: Server;
  let callback: string;

  beforeAll(async () => {
    browser = await openBrowser();
    app = createServer((_, res) => res.end('<!doctype html><title>Application</title>welcome')).listen(0, '127.0.0.1');
    await new Promise((resolve) => app.once('listening', resolve));
    callback = `http://localhost:${(app.address() as AddressInfo).port}/callback`;
    await id.body('POST /api/v2/users', ANN);
    await id.body('POST /api/v2/users', { email: 'ben@example.com', name: 'Ben' });
  });

  afterAll(async () => {
    await browser.close();
    app.close();
  });

  async function begin(page: Page, client: string, more: Record<string, string> = {}) {
    const options = { execute: [oidc.allowInsecureRequests] };
    const config = await oidc.discovery(new URL(id.url), client, `secret-of-${client}`, undefined, options);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...more,
    });
    await page.goto(url.href);
    return async () => {
      await page.waitForURL(`${callback}?**`);
      return oidc.authorizationCodeGrant(config, new URL(page.url()), { pkceCodeVerifier });
    };
  }

  /** Opens the page again where scripts run, and counts what hinders people. */
  async function hindrances(url: string): Promise<string[]> {
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(url);
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
      return (await axe.run()).violations.map(({ id: rule }) => rule);
    });
    await page.close();
    return found;
  }

  test('with a password, at once the second time, by a button, and with consent; without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const finish = await begin(page, 'web');
    expect(await page.getByLabel('Password').getAttribute('type')).toBe('password');
    expect(await hindrances(page.url())).toEqual([]);
    await page.getByLabel('Email or username').fill(ANN.email);
    await page.getByLabel('Password').fill(ANN.password);
    await page.getByTestId('sign-in').click();
    expect((await finish()).claims()?.['email']).toBe(ANN.email);
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'sandbox_session');
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'None', path: '/' });
    // The cookie signs in at once, also an application of a partner, which needs consent.
    expect((await (await begin(page, 'web'))()).claims()?.['email']).toBe(ANN.email);
    const allowed = await begin(page, 'partner');
    expect(await hindrances(page.url())).toEqual([]);
    await page.getByTestId('accept').click();
    expect((await allowed()).claims()?.['email']).toBe(ANN.email);
    const other = await begin(page, 'web', { prompt: 'login' });
    await page.getByTestId('user-ben@example.com').click();
    expect((await other()).claims()?.['email']).toBe('ben@example.com');
    await page.goto(`${id.url}/oidc/logout`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You are signed out');
    await context.close();
  });
});
