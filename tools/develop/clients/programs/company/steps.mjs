/**
 * Two years of a company, made by `sandbox live` and served from its store: the vendors' clients read all of it, a sync engine copies it
 * into a database, and what they read obeys the vendors' laws.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { WebClient } from '@slack/web-api';
import { Octokit } from 'octokit';
import pg from 'pg';
import Stripe from 'stripe';
import { database, equal, step } from './kit.mjs';

// Its module for `import` looks for its migrations in the working directory, the one for `require` beside itself.
const { runMigrations, StripeSync } = createRequire(import.meta.url)('@supabase/stripe-sync-engine');

const COMMAND = process.env.SANDBOX_COMMAND;
const STORE = 'company.db';
/** Seconds of a processor for two years: wall time depends on what else the machine does. */
const MOST_SECONDS = 30;

/** What a command of the sandbox prints, and the seconds of a processor that it took. */
async function sandbox(...args) {
  const shell = spawn('/bin/sh', ['-c', '"$@" && times', 'sh', process.execPath, COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  await new Promise((resolve) => shell.on('close', resolve));
  const lines = printed.trim().split('\n');
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s/.exec(lines.at(-1)) ?? [];
  return { result: JSON.parse(lines[0]), seconds: Number(minutes) * 60 + Number(seconds) };
}

/** The sum of what a function makes of each. */
const sum = (all, of) => all.reduce((total, each) => total + of(each), 0);
const idOf = (it) => (typeof it === 'string' || !it ? it : it.id);

for (const suffix of ['', '-wal', '-shm']) rmSync(STORE + suffix, { force: true });
const times = ['--from', '2024-11-01T09:00:00Z', '--to', '2026-11-01T09:00:00Z'];
const made = await sandbox('live', 'company.yaml', ...times, '--store', STORE, '--json');
await step(`two years are made in ${made.seconds} s of a processor, by ${made.result.acts} acts`, () => {
  equal(made.result.rules_failed, 0, 'failed rules');
  // A card that is declined, and a reaction that is there already, are life.
  const life = ['payment_failed', 'precondition_failed'];
  const codes = Object.values(made.result.actors).flatMap(({ rejected }) => Object.keys(rejected));
  equal(
    codes.filter((code) => !life.includes(code)),
    [],
    'codes of rejected calls',
  );
  if (!(made.seconds < MOST_SECONDS)) throw new Error(`it took ${made.seconds} s`);
});

const server = spawn(
  process.execPath,
  [COMMAND, 'serve', 'company.yaml', '--store', STORE, '--port', '0', '--json', '--with-stdin'],
  { stdio: ['pipe', 'pipe', 'ignore'] },
);
const { url, key, vendors } = await new Promise((resolve) =>
  server.stdout.once('data', (line) => resolve(JSON.parse(line.toString()))),
);
const { payments, code, chat } = vendors;
const { hostname, port } = new URL(payments.url);
const stripe = new Stripe(payments.key, {
  host: hostname,
  port,
  protocol: 'http',
  maxNetworkRetries: 0,
  telemetry: false,
});

let objects = 0;
/** All pages of a list. */
async function all(list, params = {}, ...rest) {
  const found = await list({ limit: 100, ...params }, ...rest).autoPagingToArray({ limit: 10_000 });
  objects += found.length;
  return found;
}

/** Lists that need no parameter, and what is expanded in each. */
const LISTS = {
  balanceTransactions: ['data.source'],
  charges: ['data.balance_transaction', 'data.customer', 'data.payment_intent', 'data.refunds'],
  'checkout.sessions': [],
  coupons: [],
  creditNotes: [],
  customers: ['data.subscriptions', 'data.invoice_settings.default_payment_method', 'data.sources'],
  disputes: ['data.charge', 'data.balance_transactions'],
  events: [],
  files: [],
  invoiceItems: [],
  invoicePayments: ['data.invoice', 'data.payment.payment_intent'],
  invoices: ['data.customer', 'data.payments', 'data.default_payment_method'],
  paymentIntents: ['data.latest_charge', 'data.customer', 'data.payment_method'],
  paymentMethods: [],
  payouts: [],
  plans: ['data.product'],
  prices: ['data.product'],
  products: ['data.default_price'],
  promotionCodes: [],
  quotes: [],
  refunds: ['data.charge', 'data.balance_transaction'],
  setupIntents: [],
  subscriptions: ['data.latest_invoice', 'data.customer', 'data.latest_invoice.payments'],
  subscriptionSchedules: [],
  taxRates: [],
  topups: [],
  transfers: [],
  webhookEndpoints: [],
};
const read = {};
for (const [name, expand] of Object.entries(LISTS)) {
  await step(`stripe: all pages of ${name}`, async () => {
    const resource = name.split('.').reduce((at, part) => at[part], stripe);
    const params = name === 'subscriptions' ? { status: 'all' } : {};
    const plain = await all(resource.list.bind(resource), params);
    equal(new Set(plain.map(({ id }) => id)).size, plain.length, 'different ids');
    read[name] = plain;
    if (expand.length === 0) return;
    const expanded = await all(resource.list.bind(resource), { ...params, expand });
    objects -= expanded.length;
    equal(expanded.map(idOf), plain.map(idOf), 'ids of the expanded');
    for (const path of expand) {
      const [, first, ...deeper] = path.split('.');
      if (deeper.length > 0) continue;
      const left = expanded.filter((each) => typeof each[first] === 'string');
      equal(left.map(idOf), [], `without its ${first}`);
    }
  });
}
await step('stripe: lists of single customers, subscriptions and invoices', async () => {
  for (const { id } of read.customers) {
    await all((params) => stripe.customers.listPaymentMethods(id, params));
    await all((params) => stripe.customers.listBalanceTransactions(id, params));
  }
  for (const { id: subscription } of read.subscriptions)
    equal(
      (await all(stripe.subscriptionItems.list.bind(stripe.subscriptionItems), { subscription })).length,
      1,
      'items',
    );
  for (const { id, subtotal } of read.invoices) {
    const lines = await all((params) => stripe.invoices.listLineItems(id, params));
    equal(
      sum(lines, ({ amount }) => amount),
      subtotal,
      `lines of ${id}`,
    );
  }
});
await step('stripe: a search', async () => {
  const { data } = await stripe.customers.search({ query: `email:'${read.customers[0].email}'` });
  equal(data.map(idOf), [read.customers[0].id], 'found');
});

const { balanceTransactions, charges, disputes, invoices, refunds, subscriptions } = read;
const ofType = (...types) => balanceTransactions.filter(({ type }) => types.includes(type));
await step('law: each paid charge is one balance transaction of its amount', () => {
  const paid = charges.filter((charge) => charge.paid && charge.captured);
  equal(ofType('charge', 'payment').length, paid.length, 'balance transactions');
  const amounts = new Map(balanceTransactions.map(({ id, amount }) => [id, amount]));
  for (const { id, amount_captured, balance_transaction } of paid)
    equal(amounts.get(balance_transaction), amount_captured, id);
});
await step('law: refunds are what their charges say, and what the balance lost', () => {
  equal(
    sum(refunds, ({ amount }) => amount),
    sum(charges, (charge) => charge.amount_refunded),
    'refunds',
  );
  equal(
    -sum(ofType('refund', 'payment_refund'), ({ amount }) => amount),
    sum(refunds, ({ amount }) => amount),
    'balance',
  );
});
await step('law: disputed charges are those of the disputes', () => {
  const disputed = charges.filter((charge) => charge.disputed).map(idOf);
  equal(disputed.sort(), disputes.map(({ charge }) => idOf(charge)).sort(), 'charges');
});
await step('law: the balance is the sum of its transactions', async () => {
  const balance = await stripe.balance.retrieve();
  const held = sum([...balance.available, ...balance.pending], ({ amount }) => amount);
  equal(
    held,
    sum(balanceTransactions, ({ net }) => net),
    'balance',
  );
});
await step('law: invoices are paid by what was paid for them', () => {
  const paid = read.invoicePayments.filter(({ status }) => status === 'paid');
  equal(
    sum(invoices, (invoice) => invoice.amount_paid),
    sum(paid, (each) => each.amount_paid),
    'amounts',
  );
  for (const { id, status, amount_remaining } of invoices)
    if (status === 'paid') equal(amount_remaining, 0, `what remains of ${id}`);
});
await step('law: an active subscription is in its period, and its last invoice is paid', () => {
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  const now = Date.parse('2026-11-01T09:00:00Z') / 1000;
  for (const { id, status, items, latest_invoice } of subscriptions) {
    if (status !== 'active') continue;
    const [{ current_period_start: start, current_period_end: end }] = items.data;
    if (start > now || end < now) throw new Error(`${id} is from ${start} to ${end}`);
    if (!['paid', 'draft', 'open'].includes(byId.get(latest_invoice)?.status))
      throw new Error(`${id}: ${latest_invoice}`);
  }
});

const db = new pg.Client({ connectionString: database });
await db.connect();
await step('the sync engine copies it all', async () => {
  await runMigrations({ databaseUrl: database, schema: 'stripe' });
  const sync = new StripeSync({
    poolConfig: { connectionString: database, max: 4 },
    stripeSecretKey: payments.key,
    stripeWebhookSecret: 'whsec_none',
    backfillRelatedEntities: true,
  });
  sync.stripe = stripe;
  await sync.syncBackfill({ object: 'all' });
});
for (const [table, name] of [
  ['customers', 'customers'],
  ['products', 'products'],
  ['prices', 'prices'],
  ['subscriptions', 'subscriptions'],
  ['invoices', 'invoices'],
  ['charges', 'charges'],
  ['payment_intents', 'paymentIntents'],
  ['disputes', 'disputes'],
]) {
  await step(`its table ${table} holds what the API lists`, async () => {
    const { rows } = await db.query(`select id from stripe.${table}`);
    equal(rows.map(idOf).sort(), read[name].map(idOf).sort(), 'ids');
  });
}
await db.end();

const octokit = new Octokit({
  auth: code.key,
  baseUrl: code.url,
  retry: { enabled: false },
  throttle: { enabled: false },
});
const pages = async (method, params) => {
  const found = await octokit.paginate(method, { per_page: 100, ...params });
  objects += found.length;
  return found;
};
const { repos, issues: issuesOf, pulls: pullsOf, checks, git, users } = octokit.rest;
await step('octokit: who it is, and what concerns all repositories', async () => {
  await users.getAuthenticated();
  await pages(octokit.rest.activity.listNotificationsForAuthenticatedUser, { all: true });
  await pages(octokit.rest.search.issuesAndPullRequests, { q: 'is:issue is:closed' });
});
const mine = (await step('octokit: all repositories', () => pages(repos.listForAuthenticatedUser, {}))) ?? [];
for (const { name: repo, owner } of mine) {
  const home = { owner: owner.login, repo };
  const issues = await step(`octokit: issues of ${repo}, their comments and events`, async () => {
    const found = await pages(issuesOf.listForRepo, { ...home, state: 'all' });
    const comments = await pages(issuesOf.listCommentsForRepo, home);
    equal(
      comments.length,
      sum(found, (issue) => issue.comments),
      'comments',
    );
    await pages(issuesOf.listEventsForRepo, home);
    await pages(issuesOf.listLabelsForRepo, home);
    await pages(issuesOf.listMilestones, { ...home, state: 'all' });
    const { data } = await repos.get(home);
    equal(found.filter(({ state }) => state === 'open').length, data.open_issues_count, 'open issues');
    for (const issue of found) equal(issue.state === 'closed', issue.closed_at !== null, `#${issue.number} is closed`);
    return found;
  });
  const pulls = await step(`octokit: pull requests of ${repo}, with commits, files, reviews and checks`, async () => {
    const found = await pages(pullsOf.list, { ...home, state: 'all' });
    equal(found.length, issues.filter((issue) => issue.pull_request).length, 'pull requests');
    for (const { number: pull_number, head } of found) {
      const at = { ...home, pull_number };
      const { data: pull } = await pullsOf.get(at);
      equal((await pages(pullsOf.listCommits, at)).length, pull.commits, `commits of #${pull_number}`);
      equal((await pages(pullsOf.listFiles, at)).length, pull.changed_files, `files of #${pull_number}`);
      const reviews = await pages(pullsOf.listReviews, at);
      if (pull.merged)
        equal(
          reviews.some(({ state }) => state === 'APPROVED'),
          true,
          `#${pull_number} is approved`,
        );
      await pages(pullsOf.listReviewComments, at);
      const ref = { ...home, ref: head.sha };
      for (const run of await pages(checks.listForRef, ref))
        equal([run.head_sha, run.status], [head.sha, 'completed'], `a check of #${pull_number}`);
      await pages(checks.listSuitesForRef, ref);
      await repos.getCombinedStatusForRef(ref);
    }
    return found;
  });
  await step(`octokit: branches and commits of ${repo}, and what was merged is in it`, async () => {
    await pages(repos.listBranches, home);
    const commits = new Set((await pages(repos.listCommits, home)).map(({ sha }) => sha));
    for (const pull of pulls)
      if (pull.merged_at) equal(commits.has(pull.merge_commit_sha), true, `merge of #${pull.number}`);
    const { data: main } = await git.getRef({ ...home, ref: 'heads/main' });
    equal(commits.has(main.object.sha), true, 'the head');
    await git.getTree({ ...home, tree_sha: main.object.sha, recursive: '1' });
    for (const list of [repos.listReleases, repos.listCollaborators]) await pages(list, home);
  });
}

const slack = new WebClient(chat.key, {
  slackApiUrl: `${chat.url}/api/`,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
});
/** All pages of a method. */
async function pagesOf(method, name, params = {}) {
  const found = [];
  for await (const page of slack.paginate(method, { limit: 200, ...params })) {
    equal(page.ok, true, method);
    found.push(...page[name]);
  }
  objects += found.length;
  return found;
}
const people = await step('@slack/web-api: its team and people', async () => {
  await slack.auth.test();
  await slack.team.info();
  return pagesOf('users.list', 'members');
});
const channels = await step('@slack/web-api: its channels and their members', async () => {
  const found = await pagesOf('conversations.list', 'channels', { types: 'public_channel,private_channel' });
  const known = new Set(people.map(idOf));
  for (const { id } of found)
    for (const member of await pagesOf('conversations.members', 'members', { channel: id }))
      equal(known.has(member), true, `${member} is somebody`);
  return found;
});
await step('@slack/web-api: all messages, their threads and reactions', async () => {
  for (const { id: channel } of channels) {
    const messages = await pagesOf('conversations.history', 'messages', { channel });
    const moments = messages.map(({ ts }) => Number(ts));
    equal(
      moments,
      [...moments].sort((a, b) => b - a),
      'the newest first',
    );
    for (const { ts, reply_count = 0, reactions = [] } of messages) {
      for (const { name, count, users } of reactions) equal(count, users.length, `${name} of ${ts}`);
      if (reply_count === 0) continue;
      const thread = await pagesOf('conversations.replies', 'messages', { channel, ts });
      equal(thread.length - 1, reply_count, `replies of ${ts}`);
    }
  }
});
await step('law: each failed charge is a message, by the rule of the company', async () => {
  const { total } = (await slack.search.messages({ query: 'failed', count: 1 })).messages;
  equal(total, charges.filter(({ status }) => status === 'failed').length, 'messages');
});
await step(`${objects} objects are read`, () => equal(objects > 2000, true, 'more than 2,000 objects'));
await step('the company goes on', async () => {
  const response = await fetch(`${url}/__admin__/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ duration: '32d' }),
  });
  const { failed_total: failed = 0 } = await response.json();
  equal([response.status, failed], [200, 0], 'status, and timers that fail');
});
server.stdin.end();
server.kill();
process.exit(0);
