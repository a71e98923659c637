import { readFileSync } from 'node:fs';
import { describeInBrowser } from '../../support/browser.js';
import { useShop } from '../../support/front.js';
import { linked, linkToken, serveBanks } from '../../packs/bank-data/served.js';

/** The browser's script of bank data behind `react-plaid-link`, which the vendor publishes, as it is. */

const installed = (path: string): string => readFileSync(`node_modules/${path}`, 'utf8');
const FILES = {
  '/react.js': installed('react/umd/react.production.min.js'),
  '/react-dom.js': installed('react-dom/umd/react-dom.production.min.js'),
  '/link.js': installed('react-plaid-link/dist/index.umd.js'),
};

/** A page with one button; its output says what the application hears. */
const APPLICATION = `
  const { createElement: h, useState } = React;
  function App() {
    const [heard, hear] = useState([]);
    const add = (...what) => hear((before) => [...before, what]);
    const { open, ready, exit } = PlaidLink.usePlaidLink({
      token: TOKEN,
      onSuccess: (token, { institution, accounts }) => add('success', token, institution?.name, accounts.map(({ mask }) => mask)),
      onExit: (error) => add('exit', error?.error_code),
      onEvent: (name) => add(name),
    });
    window.leave = exit;
    return h('main', null, h('button', { onClick: open, disabled: !ready }, 'Connect'), h('output', null, JSON.stringify(heard)));
  }
  ReactDOM.createRoot(document.querySelector('#app')).render(h(App));`;

describeInBrowser('Link in a page', () => {
  const sandbox = serveBanks();
  // The package loads the script from the vendor, whatever the page has.
  const front = useShop((page) =>
    page.route('https://cdn.plaid.com/**', async (route) => {
      const url = route.request().url().replace('https://cdn.plaid.com', sandbox.url);
      await route.fulfill({ response: await route.fetch({ url }) });
    }),
  );

  /** Opens Link for a token. */
  async function open(token: string): Promise<void> {
    const scripts = ['react', 'react-dom', 'link'].map((name) => `<script src="/${name}.js"></script>`).join('');
    const made = `<script>const TOKEN = '${token}';${APPLICATION}</script>`;
    front.shop.show(`<!doctype html><title>Shop</title><div id="app"></div>${scripts}${made}`, FILES);
    await front.page.goto(front.shop.origin);
    await front.page.getByRole('button', { name: 'Connect' }).click();
  }

  const link = () => front.page.frameLocator('iframe');
  const heard = async (name: string): Promise<unknown[][]> => {
    await front.page.locator('output', { hasText: `"${name}"` }).waitFor();
    return JSON.parse(await front.page.locator('output').innerText()) as unknown[][];
  };

  test('somebody logs in, and the public token is exchanged', async () => {
    await open(await linkToken(sandbox.client));
    await link().getByLabel('Your bank').selectOption('Tartan Bank');
    await link().getByRole('button', { name: 'Log in' }).click();
    const all = await heard('success');
    expect(all.map(([name]) => name)).toEqual(['OPEN', 'TRANSITION_VIEW', 'HANDOFF', 'success']);
    const [, public_token, bank, masks] = all[3];
    expect([bank, masks]).toEqual(['Tartan Bank', expect.arrayContaining(['0000'])]);
    expect(await front.page.locator('iframe').count()).toBe(0);
    const { data } = await sandbox.client.itemPublicTokenExchange({ public_token: String(public_token) });
    const { accounts } = (await sandbox.client.accountsGet({ access_token: data.access_token })).data;
    expect(accounts.map(({ mask }) => mask)).toEqual(masks);
  });

  test('a wrong password is said in Link, and leaving it is heard with no error', async () => {
    await open(await linkToken(sandbox.client));
    await link().getByLabel('Password').fill('error_ITEM_LOCKED');
    await link().getByRole('button', { name: 'Log in' }).click();
    await link().getByRole('alert').waitFor();
    await link().getByRole('button', { name: 'Leave' }).click();
    expect((await heard('exit')).at(-1)).toEqual(['exit', null]);
    expect(await front.page.locator('iframe').count()).toBe(0);
  });

  test('the close button and the method exit leave Link, which opens again', async () => {
    await open(await linkToken(sandbox.client));
    await front.page.getByRole('button', { name: 'Close' }).click();
    await heard('exit');
    await front.page.getByRole('button', { name: 'Connect' }).click();
    await link().getByRole('button', { name: 'Log in' }).waitFor();
    await front.page.evaluate('leave()');
    await front.page.locator('iframe').waitFor({ state: 'detached' });
    expect((await heard('exit')).filter(([name]) => name === 'exit')).toHaveLength(2);
  });

  test('update mode mends an item', async () => {
    const { access_token } = await linked(sandbox.client);
    await sandbox.client.sandboxItemResetLogin({ access_token });
    await open(await linkToken(sandbox.client, { access_token }));
    await link().getByRole('button', { name: 'Log in again' }).click();
    await heard('success');
    const { item } = (await sandbox.client.itemGet({ access_token })).data;
    expect(item.error).toBeNull();
  });
});
