import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../../support/scratch-folder.js';
import { runCommand } from '../../support/command.js';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

/**
 * Names of a pack as types, as programs of users see them: compiled against what the build made, as an ES module and as CommonJS.
 * Each `@ts-expect-error` is a mistake that the compiler has to find.
 */

const folder = scratchFolder();

/** What a program says with a typed control client of the pack payments. */
const CALLS = `
  void control.event('payment.declined', { payment_intent_id: 'pi_1', decline_code: 'insufficient_funds' });
  void control.event('balance.funds_available');
  // @ts-expect-error there is no such world event
  void control.event('payment.declinde', { payment_intent_id: 'pi_1' });
  // @ts-expect-error it needs a payment
  void control.event('payment.declined');
  // @ts-expect-error no such code
  void control.event('payment.declined', { payment_intent_id: 'pi_1', decline_code: 'insufficient_fund' });
  void control.fault({ resource: 'payment_intents', operation: 'create', status: 500, count: 1 });
  // @ts-expect-error no such operation of this collection
  void control.fault({ resource: 'customers', operation: 'confirm', status: 500 });
  void control.durations({ invoice_finalization: '2h', debit_settlement: null });
  // @ts-expect-error no such duration
  void control.durations({ invoice_finalisation: '2h' });
  void control.pin({ resource: 'charges', path: 'outcome.risk_level', value: 'highest' });
  void control.pin({ path: 'payment_intent.last_payment_error.decline_code', value: 'lost_card' });
  // @ts-expect-error no such path
  void control.pin({ resource: 'charges', path: 'outcom.risk_level', value: 'highest' });
  void control.seed({ resources: { customers: [{ id: 'cus_1' }] } });
  // @ts-expect-error no such collection
  void control.seed({ resources: { customer: [{ id: 'cus_1' }] } });
  // @ts-expect-error no such collection
  void control.state('customer');
  void control.advance({ until: { event: 'invoice.paid' } });
  // @ts-expect-error no such event
  void control.advance({ until: { event: 'invoice.payed' } });
  void control.endpoint({ url: 'http://localhost:1', events: ['invoice.*', 'charge.succeeded'] });
  // @ts-expect-error no such event
  void control.endpoint({ url: 'http://localhost:1', events: ['charge.succeded'] });
  void control.advance('1d').then(({ fired }) => fired.toFixed());
  // @ts-expect-error the contract knows no such part of the answer
  void control.advance('1d').then(({ fire }) => fire);
`;

const GENERIC = `
  void open.event('whatever.happens', { any: 1 });
  void open.durations({ any: '1d' });
`;

const FILES: Readonly<Record<string, string>> = {
  'library.ts': `import { createSandbox } from '@vendor-sandbox/sandbox';
export async function main(name: string): Promise<void> {
  const { control } = await createSandbox({ pack: 'payments' });${CALLS}
  const { control: open } = await createSandbox({ pack: name });${GENERIC}
  const { control: runs } = await createSandbox({ pack: 'task-automation' });
  // @ts-expect-error an event of another pack
  void runs.event('balance.funds_available');
}`,
  'library-common.cts': `import { createSandbox, type WordsOf } from '@vendor-sandbox/sandbox';
export async function main(name: string): Promise<void> {
  const { control } = await createSandbox({ pack: 'payments' });${CALLS}
  const { control: open } = await createSandbox({ pack: name });${GENERIC}
}
export const scenario: WordsOf<'payments'>['scenarios'] = 'rate_limited';
export const card: WordsOf<'payments'>['testValues'] = 'pm_card_visa';
// @ts-expect-error no such test value
export const wrong: WordsOf<'payments'>['testValues'] = 'pm_card_vsia';`,
  'in-vitest.ts': `import { expect } from 'vitest';
import { useSandbox } from '@vendor-sandbox/sandbox/vitest';
const sandbox = useSandbox({ pack: 'payments' });
const { control } = sandbox;${CALLS}
void expect(sandbox).toHaveDelivered('invoice.paid');
// @ts-expect-error no such event
void expect(sandbox).toHaveDelivered('invoice.payed');
const { control: open } = useSandbox();${GENERIC}`,
  'together.ts': `import { expect } from 'vitest';
import { useSandbox } from '@vendor-sandbox/sandbox/vitest';
import { useSandbox as inJest } from '@vendor-sandbox/sandbox/jest';
import { testWith } from '@vendor-sandbox/sandbox/playwright';
const sandbox = useSandbox({ packs: ['payments', { pack: 'team-chat', name: 'chat' }], t0: 0 });
const { control } = sandbox.vendors.payments;${CALLS}
// @ts-expect-error it has another name in this world
void sandbox.vendors['team-chat'];
void sandbox.control.event('payments/payment.declined', { payment_intent_id: 'pi_1' });
// @ts-expect-error no pack of this world has it
void sandbox.control.event('chat/payment.declined', { payment_intent_id: 'pi_1' });
// @ts-expect-error it needs a payment
void sandbox.control.event('payments/payment.declined');
void sandbox.control.advance({ until: { event: 'payments/invoice.paid' } });
void expect(sandbox).toHaveDelivered('payments/invoice.paid');
void expect(sandbox).toHaveDelivered('invoice.paid');
void expect(sandbox.vendors.payments).toHaveDelivered('invoice.paid');
// @ts-expect-error no such event
void expect(sandbox).toHaveDelivered('payments/invoice.payed');
// @ts-expect-error an event of another pack
void expect(sandbox.vendors.chat).toHaveDelivered('invoice.paid');
void inJest({ packs: ['payments', './packs/mine'] }).vendors.mine.control.event('any.thing');
testWith({ packs: ['payments'] })('typed', ({ sandbox: { vendors } }) => void vendors.payments.control.durations({}));`,
  'in-jest.cts': `import { useSandbox } from '@vendor-sandbox/sandbox/jest';
const sandbox = useSandbox({ pack: 'payments' });
const { control } = sandbox;${CALLS}
void expect(sandbox).toHaveDelivered('invoice.paid');
// @ts-expect-error no such event
void expect(sandbox).toHaveDelivered('invoice.payed');
const { control: open } = useSandbox();${GENERIC}`,
  'in-playwright.ts': `import { testWith } from '@vendor-sandbox/sandbox/playwright';
testWith({ pack: 'payments' })('typed', ({ sandbox: { control } }) => {${CALLS}});`,
  'own-pack.ts': `import { createSandbox } from '@vendor-sandbox/sandbox';
import './own.js';
export async function main(): Promise<void> {
  const { control } = await createSandbox({ pack: './packs/own' });
  void control.durations({ travel_time: '1h' });
  // @ts-expect-error no such duration
  void control.durations({ travel_tim: '1h' });
}`,
};

test('misspelt names of a pack are errors of compilation', async () => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@vendor-sandbox'), { recursive: true });
  mkdirSync(join(modules, '@types'));
  mkdirSync(join(modules, '@playwright'));
  symlinkSync(ROOT, join(modules, '@vendor-sandbox', 'sandbox'));
  for (const name of ['vitest', '@types/node', '@types/jest', '@playwright/test'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  expect(await runCommand(['init-pack', 'own', '--quiet'], { cwd: folder })).toMatchObject({ code: 0 });
  const made = await runCommand(['types', './packs/own', '--out', 'own.d.ts'], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const compilerOptions = {
    ...{
      module: 'NodeNext',
      target: 'ES2022',
      strict: true,
      noEmit: true,
      types: ['node', 'jest'],
      skipLibCheck: true,
    },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(FILES) }));
  const tsc = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const ended = await startProcess(process.execPath, [tsc, '-p', folder], { cwd: folder }).ended;
  expect(ended).toMatchObject({ code: 0, stdout: '' });
});
