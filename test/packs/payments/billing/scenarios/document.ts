import type { Chapter, InvoiceSummary, Scenario, Step } from './scenario.js';

/** The page docs/reference/billing-scenarios.md. */
export function document(table: readonly Chapter[]): string {
  const count = table.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const parts = [
    '# Billing scenarios',
    `${count} lives of subscriptions and invoices, as the payments pack lives them. Each is lived by a test with the official client, and this page is
written from the same table (\`test/packs/payments/billing/scenarios/*.yaml\`), so what stands here is what happens.`,
    `Every scenario starts in an empty world, on 1 January 2025 at midnight UTC unless it says otherwise, with a customer whose default card is
\`pm_card_visa\` unless it says otherwise. Prices are monthly, in US cents. \`$name\` is the id of an object that an earlier step made,
\`@time\` an instant. Events stand behind the time at which they were told; \`balance.available\` is left out.`,
    ...table
      .map(({ title, scenarios }) => `- [${title}](#${anchor(title)}): ${scenarios.length}`)
      .reduce<string[]>((lines, line) => [lines.length === 0 ? line : `${lines[0]}\n${line}`], []),
  ];
  let number = 0;
  for (const { title, scenarios } of table) {
    parts.push(`## ${title}`);
    for (const scenario of scenarios) parts.push(section(scenario, (number += 1)));
  }
  return `${parts.join('\n\n')}\n`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function section({ name, about, start, given, steps, invoices = [] }: Scenario, number: number): string {
  const world = [...(start === undefined ? [] : [`starts ${start}`]), ...(given ? [inline(given)] : [])];
  const parts = [`### ${number}. ${name}`];
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

function row(step: Step): string {
  const outcome = [
    ...Object.entries(step.statuses ?? {}).map(([name, status]) => `${name}: **${status}**`),
    ...(step.fails === undefined ? [] : [`refused: ${inline(step.fails)}`]),
    ...(step.then === undefined ? [] : [inline(step.then)]),
  ];
  const events = (step.events ?? []).map((line) => {
    const [time, ...types] = line.split(' ');
    return `${time.replace('T', ' ')} ${types.join(', ')}`;
  });
  return cells([action(step), outcome.join('<br>'), events.join('<br>')]);
}

function action(step: Step): string {
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

/** A value as YAML would write it on one line, as code. */
function inline(value: unknown): string {
  return `\`${flow(value)}\``;
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Object.entries(value).map(([key, each]) => `${key}: ${flow(each)}`);
  return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
}
