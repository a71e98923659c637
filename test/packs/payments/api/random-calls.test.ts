import { rulesOf, type Schema } from '../../../../engine/model/index.js';
import type { Operation } from '../../../../engine/program/index.js';
import { idOf, servePayments } from '../served-payments.js';

/** Every operation of the pack with the parameters that it declares: wrong ones, and random ones of the right type. */
const payments = servePayments();

const WRONG = ['', 'x', '-1', '0', '9007199254740993', 'true', '[]', 'cus_00000000000000', '🐢'.repeat(300)];
const METHODS = ['pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_threeDSecure2Required', 'pm_usBankAccount_success'];

/** The newest object of each resource; ordinary calls make the first ones. */
async function objects(): Promise<ReadonlyMap<string, string>> {
  const { engine } = payments.sandbox;
  const newest = engine.model.resources.map(
    ({ name, index }) => [name, engine.world.objects(index).at(-1)?.['id']] as const,
  );
  return new Map(newest.flatMap(([name, id]) => (typeof id === 'string' ? [[name, id] as const] : [])));
}

async function arrange(): Promise<void> {
  const { stripe, control } = payments;
  const customer = await stripe.customers.create({ email: 'jenny@example.com' });
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_createDispute',
  });
  const paid = await stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
  });
  await control.advance('1m');
  await stripe.refunds.create({ charge: idOf(paid.latest_charge), amount: 100 });
  await stripe.paymentIntents.create({ amount: 2000, currency: 'usd', customer: customer.id, payment_method: id });
  await stripe.setupIntents.create();
  await stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:9/hook', enabled_events: ['charge.failed'] });
  await stripe.tokens.create({ card: { number: '4242424242424242', exp_month: '1', exp_year: '2030' } });
}

/** The route of an operation with ids of objects in it, and the parameters that do not stand there. */
function target(
  operation: Operation,
  known: ReadonlyMap<string, string>,
): { method: string; path: string; params: [string, Schema][] } {
  const [route] = operation.routes;
  const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const param = operation.params.get(name);
    const refs = name === 'id' ? [operation.resource.name] : param?.kind === 'ref' ? param.refs : [];
    return refs.map((ref) => known.get(ref)).find((id) => id !== undefined) ?? 'x';
  });
  return { method: route.method, path, params: [...operation.params].filter(([name]) => !route.names.includes(name)) };
}

/** What is wrong with an answer, if anything. */
async function attempt(operation: Operation, known: ReadonlyMap<string, string>, form: string): Promise<string[]> {
  const { method, path } = target(operation, known);
  const before = payments.commits;
  const read = method === 'GET';
  const sent = method === 'POST' ? form : undefined;
  const { status } = await payments.call(method, sent === undefined ? `${path}?${form}` : path, sent);
  const changed = payments.commits !== before;
  const defects = payments.defects.splice(0);
  const wrong = status >= 500 || defects.length > 0 || (changed && (read || ![200, 402].includes(status)));
  return wrong ? [`${status} ${method} ${path} ${form.slice(0, 300)}: ${defects.join('; ')}`] : [];
}

it('a wrong value of any parameter is refused or ignored, and what is refused changes nothing', async () => {
  await arrange();
  const known = await objects();
  const broken: string[] = [];
  let turn = 0;
  for (const operation of payments.sandbox.engine.pack.operations) {
    if (operation.kind === 'delete' || operation.name === 'advance') continue;
    const forms = [''];
    for (const [name] of target(operation, known).params) {
      forms.push(`${name}=${encodeURIComponent(WRONG[turn++ % WRONG.length])}`);
      forms.push(`${name}${['[]', '[a]', '[a][b]'][turn % 3]}=x`);
    }
    for (const form of forms) broken.push(...(await attempt(operation, known, form)));
  }
  expect(broken).toEqual([]);
}, 300_000);

/** Random values of declared types, the same ones in every run. */
class Values {
  #state = 20_250_115;

  constructor(public known: ReadonlyMap<string, string>) {}

  /** Mulberry32. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)];
  }

  /** Form fields of parameters: the required ones, and some of the others. */
  fields(fields: Iterable<readonly [string, Schema]>, share: number, prefix = ''): [string, string][] {
    return [...fields].flatMap(([name, schema]) =>
      schema.required || this.random() < share ? this.value(schema, prefix === '' ? name : `${prefix}[${name}]`) : [],
    );
  }

  value(schema: Schema, at: string): [string, string][] {
    if (schema.unset && this.random() < 0.1) return [[at, '']];
    switch (schema.kind) {
      case 'object':
        return this.fields(schema.fields, 0.5, at);
      case 'array':
        return this.value(schema.items, `${at}[0]`);
      case 'map':
        return [[`${at}[key]`, 'value']];
      case 'one_of':
        return this.value(this.pick(schema.options), at);
      default:
        return [[at, this.scalar(schema, at)]];
    }
  }

  scalar(schema: Schema, at: string): string {
    const { format, min = 1, max = 5000 } = rulesOf(schema);
    switch (schema.kind) {
      case 'enum':
        return this.pick(schema.values);
      case 'const':
        return String(schema.constant);
      case 'integer':
      case 'number':
        return String(Math.min(max, Math.max(min, this.pick([1, 2, 50, 1000, 2000]))));
      case 'boolean':
        return this.pick(['true', 'false']);
      case 'timestamp':
        return String(payments.now + this.pick([-86_400, 0, 3600, 30 * 86_400]));
      case 'ref':
        return schema.refs.includes('payment_method') && this.random() < 0.5
          ? this.pick(METHODS)
          : (schema.refs.map((ref) => this.known.get(ref)).find((id) => id) ?? 'x');
      default:
        if (/currency\]?$/.test(at)) return this.pick(['usd', 'eur', 'jpy']);
        return format?.name === 'email'
          ? 'jenny@example.com'
          : format?.name === 'url'
            ? 'http://127.0.0.1:9/x'
            : this.pick(['text', 'US', '2', 'Zoë']);
    }
  }
}

it('random parameters of the right types never break anything', async () => {
  await arrange();
  const values = new Values(await objects());
  const broken: string[] = [];
  for (let round = 0; round < 6; round++) {
    for (const operation of payments.sandbox.engine.pack.operations) {
      if (operation.kind === 'delete' && round < 5) continue;
      values.known = await objects();
      const form = values.fields(target(operation, values.known).params, round === 0 ? 0 : 0.3);
      broken.push(...(await attempt(operation, values.known, new URLSearchParams(form).toString())));
    }
  }
  expect(broken).toEqual([]);
}, 300_000);
