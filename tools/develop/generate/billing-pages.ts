import type { Chapter, InvoiceSummary, BillingScenario, ScenarioStep } from './billing-scenarios.js';

const RULES = `Every scenario starts in an empty world, on 1 January 2025 at midnight UTC unless it says otherwise, with a customer whose default card is
\`pm_card_visa\` unless it says otherwise. Prices are monthly, in US cents. \`$name\` is the id of an object that an earlier step made,
\`@time\` an instant. Events follow the time of their change; \`balance.available\` is omitted.`;

/** Generates the pages of docs/reference/billing by file name: a table of contents, and a page for each chapter. */
export function billingPages(table: readonly Chapter[]): ReadonlyMap<string, string> {
  const count = table.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const pages = new Map<string, string>();
  let number = 0;
  const contents = table.map(({ title, scenarios }) => {
    const first = number + 1;
    const sections = scenarios.map((scenario) => section(scenario, (number += 1)));
    const before = `Which calls, events and invoices does this part of billing make? ${RULES}`;
    pages.set(fileOf(title), `${[`# ${title}`, before, ...sections, NEXT].join('\n\n')}\n`);
    return `- [${title}](${fileOf(title)}): ${first} to ${number}`;
  });
  const about = `How do subscriptions and invoices of the payments pack behave? These are ${count} scenarios. A test runs each with the official client,
and these pages are written from the same table (\`test/packs/payments/billing/scenarios/*.yaml\`).`;
  const next =
    'Next: [a declined renewal as a recipe](../../guides/declined-renewal.md), [the payments pack](../payments/README.md).';
  pages.set('README.md', `${['# Billing scenarios', about, RULES, contents.join('\n'), next].join('\n\n')}\n`);
  return pages;
}

const NEXT = 'Next: [all billing scenarios](README.md).';

function fileOf(title: string): string {
  return `${anchor(title)}.md`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function section({ name, about, start, given, steps, invoices = [] }: BillingScenario, number: number): string {
  const world = [...(start === undefined ? [] : [`starts ${start}`]), ...(given ? [inline(given)] : [])];
  const parts = [`## ${number}. ${name}`];
  if (about !== undefined) parts.push(about.trim());
  if (world.length > 0) parts.push(`Given: ${world.join('; ')}.`);
  parts.push(
    ['| Step | Status | Events |', '|---|---|---|', ...steps.map((step) => row(step))].join('\n'),
    invoices.length === 0
      ? 'No invoices.'
      : ['| Invoice | Status | Total | Lines |', '|---|---|---|---|', ...invoices.map((each) => bill(each))].join('\n'),
  );
  return parts.join('\n\n');
}

function row(step: ScenarioStep): string {
  const outcome = [
    ...Object.entries(step.statuses ?? {}).map(([name, status]) => `${name}: **${status}**`),
    ...(step.fails === undefined ? [] : [`rejected: ${inline(step.fails)}`]),
    ...(step.then === undefined ? [] : [inline(step.then)]),
  ];
  const events = (step.events ?? []).map((line) => {
    const [time, ...types] = line.split(' ');
    return `${time.replace('T', ' ')} ${types.join(', ')}`;
  });
  return cells([action(step), outcome.join('<br>'), events.join('<br>')]);
}

function action(step: ScenarioStep): string {
  const params = step.with === undefined ? '' : ` ${inline(step.with)}`;
  if (step.move !== undefined) return `clock ${/^\d{4}-/.test(step.move) ? 'to' : '+'} ${step.move}`;
  if (step.cause !== undefined) return `cause \`${step.cause}\`${params}`;
  if (step.pin) return `pin \`${step.pin.path}\` of ${inline(step.pin.id)}: ${inline(step.pin.value)}`;
  const id = step.id === undefined ? '' : ` ${[step.id].flat().map(inline).join(' ')}`;
  return `\`${step.call}\`${id}${params}${step.as === undefined ? '' : ` → \`${step.as}\``}`;
}

function bill({ reason, status, total, due, paid, discount, tax, lines }: InvoiceSummary): string {
  const extra = Object.entries({ due, paid, discount, tax }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  const items = lines.map(([amount, description]) => `${amount} ${description ?? ''}`);
  return cells([reason ?? '', status ?? '', [String(total), ...extra].join('<br>'), items.join('<br>')]);
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Formats a value as YAML on one line, as code in Markdown. */
function inline(value: unknown): string {
  return `\`${flow(value)}\``;
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Object.entries(value).map(([key, each]) => `${key}: ${flow(each)}`);
  return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
}
