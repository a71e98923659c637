import { join } from 'node:path';
import { ROOT } from '../support/root.js';
import { documented } from './blocks.js';
import type { Page } from './tour.js';

/** The pages whose commands run in a shell, with what their readers have before they begin. */

const KEY = 'export SANDBOX_API_KEY=sk_test_tour';

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
  // A year takes another time on each machine.
  { file: 'README.md', instead: { '99 ms': '... ms' } },
  page('start/tour'),
  page('start/javascript'),
  ...[
    ['team-chat', '@slack'],
    ['bank-data', 'plaid'],
    ['messaging', 'twilio'],
    ['mail', 'resend'],
    ['models', 'openai'],
    ['identity', 'openid-client'],
  ].map(([name, client]) =>
    page(`start/${name}`, {
      rare: ['bank-data', 'messaging', 'models'].includes(name),
      before: `ln -s '${join(ROOT, 'node_modules', client)}' node_modules/${client}`,
    }),
  ),
  page('start/installing', {
    rare: true,
    languages: ['console'],
    files: { 'app.js': APP, 'package.json': '{ "type": "module" }' },
    before:
      'pytest() { true; }; export -f pytest; printf "#!/bin/sh\\n" > node_modules/.bin/pytest; chmod +x node_modules/.bin/pytest',
  }),
  ...['which-tool', 'time', 'determinism', 'stores'].map((name) => page(`concepts/${name}`, { rare: true })),
  ...['worlds', 'forks'].map((name) => page(`concepts/${name}`, { rare: true, first: true, before: KEY })),
  page('concepts/replay', { rare: true }),
  page('concepts/webhook-chaos', {
    rare: true,
    files: { 'hooks.test.mjs': documented('docs/guides/webhooks-out-of-order.md', 'hooks.test.mjs') },
  }),
  page('guides/declined-renewal', { rare: true, t0: '2027-01-01' }),
  page('guides/upgrade-the-api-version', {
    rare: true,
    files: { 'package.json': '{ "type": "module" }' },
    before: `npm() { ln -sfn '${join(ROOT, 'node_modules/stripe-newest')}' node_modules/stripe; }`,
  }),
  page('guides/3d-secure-in-playwright', {
    rare: true,
    languages: ['sh'],
    before: `${BEGUN}\n${KEY}\nPAYMENT=$(post payment_intents -d amount=500 -d currency=usd -d confirm=true \\
      -d payment_method=pm_card_threeDSecure2Required -d return_url=http://localhost/ | id)`,
    instead: { pi_123: '$PAYMENT' },
  }),
  ...['add-a-field', 'connected-accounts', 'debug-a-response', 'decline-a-card', 'errors-and-timeouts', 'migrate'].map(
    (name) => page(`guides/${name}`, { rare: name !== 'decline-a-card' }),
  ),
  ...['seed-data', 'webhooks', 'inspector'].map((name) => page(`guides/${name}`, { rare: name !== 'webhooks' })),
  page('guides/webhooks-out-of-order', { rare: true }),
  page('guides/test-an-agent', {
    rare: true,
    files: { 'tasks/refund.task.yaml': documented('docs/guides/test-an-agent.md', 'tasks/refund.task.yaml') },
    before: `mkdir -p node_modules/@anthropic-ai; ln -s '${join(ROOT, 'node_modules/@anthropic-ai/sdk')}' node_modules/@anthropic-ai/sdk; ln -s '${join(ROOT, 'node_modules/resend')}' node_modules/resend`,
  }),
  page('guides/evaluate-an-agent', {
    rare: true,
    files: { 'tasks/refund.task.yaml': documented('docs/guides/evaluate-an-agent.md', 'tasks/refund.task.yaml') },
  }),
  page('guides/agent-frameworks', {
    rare: true,
    languages: ['console'],
    files: Object.fromEntries(
      ['sandbox_tasks.py', 'evaluate.py', 'sandbox_gym.py', 'play.py'].map((name) => [
        name,
        documented('docs/guides/agent-frameworks.md', name),
      ]),
    ),
  }),
  page('guides/time-travel', { first: true }),
  page('guides/importing', {
    rare: true,
    before: `cp '${join(ROOT, 'test/tools/openapi/shelter.yaml')}' openapi.yaml; cp '${join(ROOT, 'test/tools/openapi/boards.json')}' github.json`,
  }),
  page('guides/in-tests', {
    rare: true,
    languages: ['console'],
    before: 'sandbox init-pack mine > /dev/null; mkdir types',
  }),
  page('guides/parallel-tests', {
    rare: true,
    languages: ['console'],
    first: true,
    before: 'SANDBOX_URL=http://localhost:8801 SANDBOX_KEY=sk_test_tour',
  }),
  page('guides/running-for-a-team', {
    rare: true,
    first: true,
    before: 'SANDBOX_API_KEY=sk_test_tour',
    instead: { 'https://sandbox.internal': 'http://localhost:8801' },
  }),
  page('reference/every-pack', { rare: true }),
  page('reference/command', { before: BEGUN }),
  page('reference/control-api', {
    languages: ['console'],
    before: BEGUN,
    instead: { pi_123: '$PAYMENT', 'sk_test_...': 'sk_test_tour' },
  }),
  page('reference/errors', {
    rare: true,
    before: "sandbox init-pack bikes > /dev/null; sed -i '0,/: string$/s//: int/' packs/bikes/resources/parcel.yaml",
  }),
];
