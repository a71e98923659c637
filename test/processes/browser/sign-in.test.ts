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
    await id.body('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });
    await id.body('POST /api/v2/users', {
      connection: 'Username-Password-Authentication',
      email: 'ben@example.com',
      name: 'Ben',
    });
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

  test('factors, other providers, codes, errors and forms that a browser posts: pages without hindrances, also without scripts', async () => {
    await id.control.seed({ name: 'second-factors' });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const clear = async () => expect(await hindrances(page.url())).toEqual([]);
    const factored = await begin(page, 'web');
    await clear();
    // The seed has another one with this email.
    await page.getByTestId('user-ann@example.com').last().click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Verify that it is you');
    await clear();
    const shown = await id.body<{ code: string; type: string }[]>('GET /sandbox/factors');
    await page.getByLabel('Code', { exact: true }).fill(String(shown.find(({ type }) => type === 'totp')?.code));
    await page.getByTestId('verify').click();
    expect((await factored()).claims()?.['amr']).toEqual(['pwd', 'mfa']);
    const away = await begin(page, 'web', { prompt: 'login' });
    await page.getByTestId('connection-google-oauth2').click();
    await clear();
    await page.getByLabel('Email').fill('zoe@example.com');
    await page.getByTestId('arrive').click();
    expect((await away()).claims()?.['email']).toBe('zoe@example.com');
    const sent = await begin(page, 'web', { prompt: 'login' });
    await page.getByLabel('Email or telephone number').fill('new@example.com');
    await page.getByTestId('send-code').click();
    await clear();
    const [{ code }] = await id.body<{ code: string }[]>('GET /sandbox/messages');
    await page.getByLabel('Code').fill(code);
    await page.getByTestId('enter-code').click();
    expect((await sent()).claims()?.['email']).toBe('new@example.com');
    await begin(page, 'web', { redirect_uri: 'https://evil.example' });
    await clear();
    await begin(page, 'web', { response_mode: 'form_post' });
    expect(page.url()).toContain('/u/response/');
    await page.getByTestId('continue').click();
    await page.waitForURL(callback);
    await id.body('PUT /api/v2/guardian/policies', ['all-applications']);
    await begin(page, 'web', { prompt: 'login' });
    await page.getByTestId('user-dora@example.com').click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Add a second factor');
    await clear();
    await context.close();
  });
});
