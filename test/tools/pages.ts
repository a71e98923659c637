import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root.js';
import type { Page } from './tour.js';

/** The pages whose commands run in a shell, with what their readers have before they begin. */

const CHECKS = readFileSync(join(ROOT, 'test', 'processes', 'command', 'chaos', 'app.mjs'), 'utf8');
const PACKAGE = '{ "private": true, "scripts": { "test": "node" } }';

const page = (file: string, more: Omit<Page, 'file'> = {}): Page => ({ file: `docs/${file}.md`, ...more });

/** A subscription, whose invoices come, and a payment: what people who test an application have. */
const BEGUN = `
post() { curl -s -u sk_test_tour: http://localhost:8801/v1/$1 "\${@:2}"; }
id() { node -pe 'JSON.parse(fs.readFileSync(0)).id'; }
CUSTOMER=$(post customers -d payment_method=pm_card_visa -d 'invoice_settings[default_payment_method]=pm_card_visa' | id)
post subscriptions -d customer=$CUSTOMER -d 'items[0][price_data][currency]=usd' -d 'items[0][price_data][unit_amount]=500' \\
  -d 'items[0][price_data][recurring][interval]=month' -d "items[0][price_data][product]=$(post products -d name=Tea | id)" -o /dev/null
PAYMENT=$(post payment_intents -d amount=500 -d currency=usd -d payment_method=pm_card_visa | id)
`;

/** An application for Node that takes an API key and no address. */
const APP = `const response = await fetch('https://api.stripe.com/v1/customers', {
  headers: { Authorization: 'Bearer ' + (process.env.SANDBOX_KEY ?? 'none') } });
if (!response.ok) process.exit(1);
`;

export const PAGES: readonly Page[] = [
  { file: 'README.md' },
  page('start/tour'),
  page('start/javascript', { heading: 'Beside your application' }),
  page('start/installing', {
    languages: ['console'],
    files: { 'app.js': APP, 'package.json': '{ "type": "module" }' },
    before:
      'pytest() { true; }; export -f pytest; printf "#!/bin/sh\\n" > node_modules/.bin/pytest; chmod +x node_modules/.bin/pytest',
  }),
  page('concepts/which-tool'),
  page('concepts/time'),
  page('concepts/determinism'),
  page('concepts/worlds', {
    before: `${BEGUN}\nexport KEY=sk_test_tour; curl -s -u $KEY: http://localhost:8801/v1/refunds -d payment_intent=none -o /dev/null`,
    files: {
      'package.json': PACKAGE.replace('"node"', '"node checks.mjs"'),
      'checks.mjs':
        "const [what] = process.argv.slice(2);\nprocess.argv[2] = 'counts-twice';\nawait import(`./${what}.mjs`);\n",
      'webhooks.mjs': CHECKS,
      'refunds.mjs': `const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
const { data } = await (await fetch(url + '/v1/customers', { headers: { Authorization: 'Bearer ' + key } })).json();
process.exitCode = data.length > 0 ? 1 : 0;\n`,
    },
  }),
  ...[
    'add-a-field',
    'connected-accounts',
    'debug-a-response',
    'decline-a-card',
    'declined-renewal',
    'errors-and-timeouts',
    'migrate',
  ].map((name) => page(`guides/${name}`)),
  ...['seed-data', 'webhooks', 'webhooks-out-of-order', 'inspector'].map((name) => page(`guides/${name}`)),
  page('guides/time-travel', { first: true }),
  page('guides/importing', {
    before: `cp '${join(ROOT, 'test/tools/openapi/shelter.yaml')}' openapi.yaml; cp '${join(ROOT, 'test/tools/openapi/boards.json')}' github.json`,
  }),
  page('guides/in-tests', { languages: ['console'], before: 'sandbox init-pack mine > /dev/null; mkdir types' }),
  page('guides/parallel-tests', {
    languages: ['console'],
    first: true,
    before: 'SANDBOX_URL=http://localhost:8801 SANDBOX_KEY=sk_test_tour',
  }),
  page('guides/running-for-a-team', {
    first: true,
    before: 'SANDBOX_API_KEY=sk_test_tour',
    instead: { 'https://sandbox.internal': 'http://localhost:8801' },
  }),
  page('reference/command', { before: BEGUN }),
  page('reference/control-api', {
    languages: ['console'],
    before: BEGUN,
    instead: { pi_123: '$PAYMENT', 'sk_test_...': 'sk_test_tour' },
  }),
  page('reference/errors', {
    before: "sandbox init-pack bikes > /dev/null; sed -i '0,/: string$/s//: int/' packs/bikes/resources/parcel.yaml",
  }),
];
