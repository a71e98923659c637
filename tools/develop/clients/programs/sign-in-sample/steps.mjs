import { chromium } from 'playwright-core';
import { application, callJson, equal, step, url } from './kit.mjs';

/* A vendor's starter application: a browser signs in through the sandbox's pages, opens the profile and signs out. */

const PORT = '8927';
const OWN = `http://localhost:${PORT}`;
const EMAIL = 'ann@example.com';
await callJson('POST', '/api/v2/users', {
  email: EMAIL,
  name: 'Ann',
  password: 'Correct-Horse-1',
  connection: 'Username-Password-Authentication',
});
await callJson('POST', '/api/v2/users', {
  email: 'ben@example.com',
  name: 'Ben',
  connection: 'Username-Password-Authentication',
});

const app = await step('it starts', () =>
  application('app/01-Login', 'server.js', 'Listening on', {
    PORT,
    BASE_URL: OWN,
    ISSUER_BASE_URL: url,
    CLIENT_ID: 'web',
    SECRET: 'a long text that nobody guesses, 1234567890',
  }),
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'],
});
const page = await (await browser.newContext()).newPage();
page.setDefaultTimeout(15_000);
const profile = async () => JSON.parse(await page.locator('pre').first().innerText());

try {
  await step('a page that needs a person leads to the sign-in page', async () => {
    await page.goto(`${OWN}/profile`);
    equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Sign in to Web application');
  });
  await step('a wrong password is reported there', async () => {
    await page.getByLabel('Email or username').fill(EMAIL);
    await page.getByLabel('Password').fill('wrong');
    await page.getByTestId('sign-in').click();
    equal(await page.getByRole('alert').innerText(), 'Wrong email or password.');
  });
  await step('the right one leads back to the profile, by a form that the browser posts', async () => {
    await page.getByLabel('Password').fill('Correct-Horse-1');
    await page.getByTestId('sign-in').click();
    await page.waitForURL(`${OWN}/profile`);
    equal((await profile()).email, EMAIL);
  });
  await step('signing out ends both sessions', async () => {
    await page.goto(`${OWN}/logout`);
    await page.waitForURL(`${OWN}/`);
    await page.goto(`${OWN}/profile`);
    equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Sign in to Web application');
  });
  await step('one click signs in as somebody else', async () => {
    await page.getByTestId('user-ben@example.com').click();
    await page.waitForURL(`${OWN}/profile`);
    equal((await profile()).email, 'ben@example.com');
  });
} finally {
  await browser.close();
  app?.stop();
}
