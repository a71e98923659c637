import type { Json, JsonObject } from '../../engine/values/index.js';
import type { MagicFamily, Program } from '../../engine/program/index.js';
import { causes, durations, errors, outside, scenarios, seedData } from './reference.js';
import { moment, resourceChapter } from './resource.js';
import { code, markdownTable, typeText } from './types.js';
import { leadsTo, stateOf, type VendorCall } from './vendor-calls.js';
import { versions } from './versions.js';

/** The first line of generated pages. */
export const MADE = '<!-- Made by `sandbox docs --pages`. -->';

/** Pages of a reference by file name, which links use. */
export type Pages = ReadonlyMap<string, string>;

/** A page besides those of resources: its file, title, and content. */
type Subject = readonly [file: string, title: string, lines: string[]];

interface PageOptions {
  /** The vendor's calls, as its official client names them, shown beside the operations. */
  readonly calls?: readonly VendorCall[];
  /** Hand-written pages in the same folder, for the contents: file and title. */
  readonly written?: readonly (readonly [file: string, title: string])[];
}

/** Formats a pack as linked Markdown pages, one for each subject and resource. */
export function referencePages(pack: Program, { calls: known = [], written = [] }: PageOptions = {}): Pages {
  const { settings } = pack.model;
  const subjects: Subject[] = [
    ['calls.md', 'Calls', calls(pack, known)],
    ['test-values.md', 'Test values', testValues(pack)],
    ['seed-data.md', 'Seed data', seedData(pack)],
    ['scenarios.md', 'Scenarios', scenarios(pack)],
    ['world-events.md', 'External events', causes(pack)],
    ['pins.md', 'Pins', pins(pack)],
    ['durations.md', 'Durations', durations(pack)],
    ['events.md', 'Events', events(pack)],
    ['errors.md', 'Errors', errors(pack)],
    ['versions.md', 'Versions of the API', versions(pack)],
    ['not-supported.md', 'Not supported', outside(pack)],
  ];
  const filled = subjects.filter(([, , lines]) => lines.length > 0);
  const pages = new Map<string, string>();
  pages.set(
    'README.md',
    page(settings.title, [
      `Pack ${code(settings.name)} ${settings.version}.${settings.faithfulTo === '' ? '' : ` Faithful to: ${settings.faithfulTo}.`}`,
      `Calls are authenticated by ${settings.auth.schemes.join(' or ')}; bodies are ${settings.requests === 'form' ? 'forms' : 'JSON'}.`,
      '',
      ...[...written, ...filled].map(([file, title]) => `- [${title}](${file})`),
      '',
      '## Resources',
      '',
      ...pack.resources.map(({ def }) => `- [${def.collection}](resources/${def.collection}.md)`),
    ]),
  );
  for (const [file, title, lines] of filled) pages.set(file, page(title, lines));
  for (const program of pack.resources) {
    const { collection } = program.def;
    const [, ...lines] = resourceChapter(program, pack.model);
    // A chapter becomes a page, so headings are raised by one level.
    const raised = lines.map((line) => line.replace(/^###/, '##'));
    pages.set(`resources/${collection}.md`, page(collection, [`[${settings.title}](../README.md)`, '', ...raised]));
  }
  return pages;
}

function page(title: string, lines: readonly string[]): string {
  const text = [`# ${title}`, '', ...lines].join('\n').replace(/\n{3,}/g, '\n\n');
  return `${MADE}\n${text.trimEnd()}\n`;
}

function calls(pack: Program, known: readonly VendorCall[]): string[] {
  const served = known.map((call) => ({ call, ...stateOf(pack, call) }));
  const rows = pack.operations.flatMap((operation) =>
    operation.routes.map(({ method, path }) => [
      code(`${method} ${path}`),
      `[${operation.key}](resources/${operation.key.split('.')[0]}.md#${operation.key.replaceAll('.', '').toLowerCase()})`,
      served
        .filter(({ call, by }) => by === operation.key && call.method === method && leadsTo(path, call.path))
        .map(({ call }) => code(`${call.group}.${call.name}`))
        .join(', '),
    ]),
  );
  if (known.length === 0)
    return markdownTable(
      ['Call', 'Operation'],
      rows.map((row) => row.slice(0, 2)),
    );
  const missing = served.filter(({ state }) => state !== 'done');
  return [
    `${known.length - missing.length} of ${known.length} calls of the official client are emulated.`,
    '',
    ...markdownTable(['Call', 'Operation', 'In the official client'], rows),
    ...markdownTable(
      ['Not emulated', 'In the official client'],
      missing.map(({ call }) => [code(`${call.method} ${call.path}`), code(`${call.group}.${call.name}`)]),
    ),
  ];
}

function pins({ resources }: Program): string[] {
  const rows = resources.flatMap(({ def, pins }) =>
    pins.map((pin) => [
      code(def.collection),
      code(pin.path),
      [...pin.moments].map(code).join(', ') || 'when it is asked for',
      typeText(pin.schema()),
      pin.description,
    ]),
  );
  const text = `A test sets them with ${code('POST /__admin__/exogenous/pins')}.`;
  return rows.length === 0 ? [] : [text, '', ...markdownTable(['Resource', 'Path', 'Applied', 'Value', ''], rows)];
}

function events({ resources }: Program): string[] {
  const rows = resources.flatMap(({ def, events }) =>
    [...events.values()].map(({ name, file }) => [
      code(name),
      `[${def.name}](resources/${def.collection}.md)`,
      moment(file),
      file.description ?? '',
    ]),
  );
  return markdownTable(['Event', 'Its object', 'When', ''], rows);
}

/** Describes every family of test values, with the tables of their effects. */
function testValues(pack: Program): string[] {
  const { families } = pack.magic;
  const used = tablesOf(pack);
  const tables = [...pack.model.tables.values()].filter(({ name }) => used.has(name));
  return [
    ...families.flatMap(familySection),
    ...tables.flatMap(({ name, rows }) => [
      `## ${name}`,
      '',
      ...markdownTable(
        ['', 'What is set'],
        rows.map((row) => [code(String(Object.values(row)[0])), unusual(row, rows)]),
      ),
    ]),
  ];
}

function familySection({ name, resource, values }: MagicFamily): string[] {
  const names = [...values().keys()].map(code).join(', ');
  return [`## ${name}`, '', `Each means ${resource.title}:`, '', names, ''];
}

/** Names the tables from which test values are generated. */
function tablesOf({ model }: Program): Set<string> {
  const found = new Set<string>();
  const file = model.source.one('magic')?.data as MagicFile | undefined;
  for (const { values } of Object.values(file?.families ?? {}))
    for (const { from } of values) for (const name of Object.values(from ?? {})) found.add(name);
  return found;
}

interface MagicFile {
  readonly families: Readonly<
    Record<string, { readonly values: readonly { readonly from?: Readonly<Record<string, string>> }[] }>
  >;
}

/** Formats the cells of a row that differ from most rows. */
function unusual(row: JsonObject, rows: readonly JsonObject[]): string {
  return Object.entries(row)
    .slice(1)
    .filter(([column, value]) => value !== null && !isUsual(column, value, rows))
    .map(([column, value]) => `${column} ${code(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join(', ');
}

function isUsual(column: string, value: Json, rows: readonly JsonObject[]): boolean {
  const text = JSON.stringify(value);
  return rows.filter((row) => JSON.stringify(row[column]) === text).length * 2 > rows.length;
}
