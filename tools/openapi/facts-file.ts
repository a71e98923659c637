import type { FactsFile } from '../../engine/model/index.js';
import { type Program, routeShape } from '../../engine/program/index.js';
import { schemaLine } from '../templates/schema-line.js';
import { Contract } from './contract.js';
import { objectOr, readDocument, textOr } from './document.js';
import { factsOf, type OperationFacts } from './facts.js';

/** Name of the facts file. */
export const FACTS_FILE = 'facts.yaml';

/** Facts from one document. */
export interface FactsSource {
  readonly title: string;
  /** By method and path in the pack. */
  readonly operations: ReadonlyMap<string, OperationFacts>;
  readonly contract: Contract;
}

/** Reads the facts of an OpenAPI document for a pack. */
export async function documentFacts(file: string, pack: Program, formats: ReadonlySet<string>): Promise<FactsSource> {
  const document = await readDocument(file);
  const contract = new Contract(document);
  const { auth } = pack.model.settings;
  const keys = new Set([
    ...auth.keyPlaces.flatMap(({ name, beside }) => [name, ...beside]),
    ...auth.keyParameters.keys(),
  ]);
  const routes = new Set(
    pack.operations.flatMap((each) => each.routes.map(({ method, path }) => routeShape(`${method} ${path}`))),
  );
  const base = baseOf(
    contract.calls.map(({ path }) => path),
    routes,
    document.root,
  );
  const operations = new Map<string, OperationFacts>();
  for (const call of contract.calls)
    operations.set(
      `${call.method.toUpperCase()} ${base}${bare(call.path)}`,
      factsOf(document, call, { keys, formats }),
    );
  const info = objectOr(document.root['info']);
  return { title: `${textOr(info['title'])} ${textOr(info['version'])}`.trim(), operations, contract };
}

/** The base path of the pack's routes before the document's paths: the most common one, else the path of the document's server. */
function baseOf(
  paths: readonly string[],
  routes: ReadonlySet<string>,
  root: Readonly<Record<string, unknown>>,
): string {
  const own = new Set([...routes].map((route) => route.replace(/^\S+ /, '')));
  const servers = Array.isArray(root['servers']) ? (root['servers'] as readonly unknown[]) : [];
  const server = /^(?:https?:\/\/[^/]*)?(\/.*?)\/?$/.exec(textOr(objectOr(servers[0])['url']))?.[1] ?? '';
  let best = { base: server.includes('{') ? '' : server, hits: hitsOf('') };
  for (const base of new Set([...own].flatMap((path) => prefixesOf(path)))) {
    const hits = hitsOf(base);
    if (hits > best.hits) best = { base, hits };
  }
  return hitsOf('') === best.hits && best.hits > 0 ? '' : best.base;

  function hitsOf(base: string): number {
    return paths.filter((path) => own.has(routeShape(base + bare(path)))).length;
  }
}

function prefixesOf(path: string): string[] {
  const parts = path.split('/').slice(0, 4);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/')).filter((each) => each !== '' && !each.includes('{'));
}

function bare(path: string): string {
  return path.replace(/[?#].*$/, '');
}

/** The keys of facts.yaml other than `operations`. They stay when the operations are written again. */
interface FactsRest {
  readonly document: string;
  readonly partial?: boolean;
  readonly versions?: FactsFile['versions'];
  readonly graphql?: FactsFile['graphql'];
  readonly searches?: FactsFile['searches'];
  readonly differs?: FactsFile['differs'];
}

/** Operations by method and path. */
export type FactsOperations = ReadonlyMap<string, OperationFacts>;

/** Formats facts.yaml, with one line per operation, sorted by path. @param folder absolute path of the pack */
export function factsFile(folder: string, operations: FactsOperations, rest: FactsRest): string {
  return `${schemaLine(folder, FACTS_FILE)}\n${factsText(operations, rest)}`;
}

/** Formats facts.yaml without the line that names its schema. */
export function factsText(
  operations: FactsOperations,
  { document, partial = false, versions = {}, graphql = {}, searches = {}, differs = [] }: FactsRest,
): string {
  const later = Object.entries(versions).map(
    ([name, { operations: changed = {}, gone }]) =>
      `  ${flow(name)}:\n${section('    operations', lines(Object.entries(changed), '      '))}` +
      (gone === undefined ? '' : `    gone: ${flow(gone)}\n`),
  );
  const types = Object.entries(graphql).map((each) => lineOf(each, '  '));
  return (
    "# Names, types and bounds of the vendor's own document: they check what the pack doesn't declare. Written by `sandbox facts`.\n" +
    `document: ${flow(document)}\n${partial ? 'partial: true\n' : ''}` +
    section(
      'differs',
      differs.map((each) => `  - ${flow(each)}\n`),
    ) +
    section(
      'searches',
      Object.entries(searches).map((each) => lineOf(each, '  ')),
    ) +
    `operations:\n${lines([...operations], '  ').join('')}` +
    section('versions', later) +
    section('graphql', types)
  );
}

function section(key: string, all: readonly string[]): string {
  return all.length === 0 ? '' : `${key}:\n${all.join('')}`;
}

function lines(all: readonly (readonly [string, unknown])[], indent: string): readonly string[] {
  const byPath = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => {
    const [a, b] = [one.split(' '), other.split(' ')];
    return a[1] === b[1] ? order(a[0], b[0]) : order(a[1], b[1]);
  };
  return [...all].sort(byPath).map((each) => lineOf(each, indent));
}

function lineOf([name, value]: readonly [string, unknown], indent: string): string {
  return `${indent}${flow(name)}: ${flow(value)}\n`;
}

/** Operations of a version that are new or differ from the previous ones. */
export function changedOperations(
  before: FactsOperations,
  after: FactsOperations,
): NonNullable<FactsFile['versions']>[string] {
  const shapes = new Map([...before].map(([route, facts]) => [routeShape(route), facts]));
  const there = new Set([...after.keys()].map(routeShape));
  const changed = [...after].filter(([route, facts]) => flow(shapes.get(routeShape(route))) !== flow(facts));
  const gone = [...before.keys()].filter((route) => !there.has(routeShape(route)));
  return {
    ...(changed.length > 0 ? { operations: Object.fromEntries(changed) } : {}),
    ...(gone.length > 0 ? { gone } : {}),
  };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Texts that need no quotes in YAML, inside braces too. */
const PLAIN = /^[A-Za-z_][\w-]*$/;
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

/** Formats a value on one line of YAML. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${flow(key)}: ${flow(each)}`)
      .join(', ')}}`;
  if (typeof value === 'string' && PLAIN.test(value) && !WORDS.has(value.toLowerCase())) return value;
  return JSON.stringify(value);
}
