import type { FileKind } from '../../engine/pack/index.js';
import { shorten } from '../format/short/index.js';
import type { ClientNames } from './again/client-names.js';
import { authOf } from './auth.js';
import type { Build } from './build.js';
import { type DocumentedCall, Contract } from './contract.js';
import { DeclaredParams } from './declared-params.js';
import { documentBody, type Document, listOr, type Node, objectOr, textOr } from './document.js';
import { buildErrors } from './errors.js';
import { singular, snake } from './names.js';
import { exampleIndex } from './examples.js';
import { FACTS_FILE, factsText } from './facts-file.js';
import { buildResource } from './resource.js';
import { type PlacedQuestion, type Question, ranked } from './questions.js';
import { CONTRACT_FILE, NOTES_FILE, notesFile, type OperationCounts } from './notes-file.js';
import { Sampler } from './sample.js';
import { withShownSchemas } from './shown-schemas.js';
import { shapeOf } from './session.js';
import { plain } from './types.js';
import { callScopes, tokensOf } from './oauth.js';
import { sound } from './sound.js';
import type { OperationFacts } from './facts.js';
import { sharedTypes } from './shared-types.js';
import { buildStubs } from './stubs.js';
import { type SurveyedResource, survey } from './survey.js';
import { buildWebhooks } from './webhooks.js';
import { packYaml } from './yaml.js';

/** A pack generated from a document: its files by path, and notes for people. */
export interface Imported {
  readonly files: Readonly<Record<string, string>>;
  readonly resources: readonly { readonly collection: string; readonly calls: number }[];
  readonly operations: OperationCounts;
  readonly decisions: readonly string[];
  /** The most important questions, at most twenty. */
  readonly questions: readonly PlacedQuestion[];
}

/**
 * Generates a pack from a document.
 * @param include selects the document's paths; all by default
 * @param client names of the vendor's client library, which supplement the document
 */
export function importDocument(
  given: Document,
  name: string,
  include: (path: string) => boolean = () => true,
  client?: ClientNames,
): Imported {
  const document = withShownSchemas(given);
  const contract = new Contract(document);
  const decisions: string[] = [...document.warnings];
  const wanted = contract.calls.filter(({ path }) => include(path));
  const calls = withoutClashes(wanted, decisions);
  const { found, others } = survey({ document, calls });
  const auth = authOf({ root: document.root, at: (value) => document.at(value) });
  const tokens = tokensOf(document, calls, found);
  const build: Build = {
    document,
    contract,
    sampler: new Sampler(contract),
    examplesOf: exampleIndex(document),
    basePath: basePathOf(document.root),
    found,
    refs: likelyRefs(found),
    secured: auth.secured,
    client,
    scopesOf: (call) => (tokens === undefined ? {} : callScopes(document, call)),
  };
  const drafts: Record<string, { readonly kind: FileKind; readonly data: unknown }> = {};
  const places = [auth.file, tokens?.auth].flatMap((each) => listOr(objectOr(each)['places']));
  const declarations = new DeclaredParams(build, new Set(places.map((each) => textOr(objectOr(each)['parameter']))));
  const resources = found.map((each) => ({ each, built: buildResource(build, each) }));
  const formats = new Map(
    resources
      .filter(({ built }) => objectOr(built.file['id'])['format'] === built.idFormat.name)
      .map(({ built }) => [built.idFormat.name, built.idFormat]),
  );
  const taken = new Set([
    ...found.flatMap(({ name: own, collection }) => [own, collection]),
    ...Object.keys(tokens?.files ?? {}),
  ]);
  const webhooks = buildWebhooks(
    build,
    resources.map(({ each, built }) => ({
      ...each,
      ...built,
      operations: objectOr(built.file['operations']) as Record<string, Record<string, unknown>>,
    })),
    taken,
  );
  const pack = packFile(build, name, { ...auth.file, ...tokens?.auth }, [...formats.values()], calls);
  drafts['pack.yaml'] = { kind: 'pack', data: { ...pack, ...webhooks.pack } };
  for (const [own, data] of Object.entries({ ...webhooks.files, ...tokens?.files }))
    drafts[`resources/${own}.yaml`] = { kind: 'resource', data };
  for (const { each, built } of resources) {
    for (const { name: own, call } of each.calls)
      declarations.declare(
        call,
        own,
        objectOr(objectOr(built.file['operations'])[own]),
        objectOr(built.file['fields']),
        built.unkept.get(own),
      );
    const events = webhooks.of.get(each.name);
    const data = events === undefined ? built.file : { ...built.file, events };
    drafts[`resources/${each.name}.yaml`] = { kind: 'resource', data };
    decisions.push(...new Set(built.notes.map((note) => `${each.collection}: ${note}`)));
  }
  const causes = Object.assign({}, webhooks.causes, ...resources.map(({ built }) => built.causes)) as Record<
    string,
    unknown
  >;
  if (Object.keys(causes).length > 0) drafts['causes.yaml'] = { kind: 'causes', data: { causes } };
  const stubs = buildStubs(build, others, taken, declarations);
  for (const [own, data] of Object.entries(stubs.files)) drafts[`resources/${own}.yaml`] = { kind: 'resource', data };
  const errors = buildErrors(document, build.sampler, operationKeys(resources, stubs.keys), {
    hasScopes: tokens !== undefined,
    client,
  });
  drafts['errors.yaml'] = { kind: 'errors', data: errors.file };
  decisions.push(...stubs.notes, ...errors.notes, ...auth.notes);
  const sent = [...webhooks.of.values()].flatMap((events) => Object.keys(events));
  if (sent.length > 0)
    decisions.push(
      `webhooks: ${sent.length} are sent when what they are called after happens (${sent.slice(0, 6).join(', ')})`,
    );
  const all = [...Object.values(drafts).map(({ data }) => data), ...declarations.operations.values()];
  const { types, named } = sharedTypes(document, all, taken);
  if (Object.keys(types).length > 0) drafts['types.yaml'] = { kind: 'types', data: types };
  const files = Object.fromEntries(
    Object.entries(drafts).map(([path, { kind, data }]) => [
      path,
      packText(kind, kind === 'types' ? data : named(data)),
    ]),
  );
  const facts = new Map([...declarations.operations].map(([route, each]) => [route, named(each) as OperationFacts]));
  if (facts.size > 0)
    files[FACTS_FILE] = factsText(facts, {
      document: `${titleOf(document, name)} ${textOr(objectOr(document.root['info'])['version'])}`.trim(),
      differs: declarations.differs,
    });
  const { files: kept, left } = sound(files);
  decisions.unshift(...left.map((each) => `left out, the pack would not load with it: ${each}`));
  const made: Record<string, string> = { ...kept };
  made[CONTRACT_FILE] = `${JSON.stringify(document.original)}\n`;
  const asked = [
    ...resources.flatMap(({ each, built }) =>
      built.questions.map((question) => ({ file: `resources/${each.name}.yaml`, question })),
    ),
    ...stubQuestions(stubs.files),
    ...webhookQuestions(webhooks.left),
    {
      file: 'errors.yaml',
      question: {
        at: ['errors'],
        ask: "What are the vendor's codes of errors? These are the sandbox's own.",
        write: 'not_found: { status: 404, body: { code: resource_missing } }',
        calls: Math.ceil(calls.length / ERROR_SHARE),
      },
    },
  ];
  const questions = ranked(asked, kept);
  const stateful = found.reduce((sum, each) => sum + each.calls.length, 0);
  const operations = { all: wanted.length, stateful, stubs: others.length, left: wanted.length - calls.length };
  made[NOTES_FILE] = notesFile(
    document,
    resources.map(({ each }) => each),
    operations,
    { questions, asked: asked.length, decisions },
  );
  return {
    files: made,
    resources: found.map(({ collection, calls: own }) => ({ collection, calls: own.length })),
    operations,
    decisions,
    questions,
  };
}

/** Keys of the pack's operations, by method and path in the document. */
function operationKeys(
  resources: readonly { readonly each: SurveyedResource }[],
  stubs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const kept = resources.flatMap(({ each }) =>
    each.calls.map(({ name, call }) => [`${call.method} ${call.path}`, `${each.collection}.${name}`] as const),
  );
  return new Map([...stubs, ...kept]);
}

/** One call in this many is probably an error case of an application's tests. */
const ERROR_SHARE = 20;

/** Asks which stubs belong to one resource. */
function stubQuestions(
  files: Readonly<Record<string, Record<string, unknown>>>,
): { readonly file: string; readonly question: Question }[] {
  return Object.entries(files).map(([own, { operations }]) => {
    const names = Object.keys(objectOr(operations));
    return {
      file: `resources/${own}.yaml`,
      question: {
        at: ['operations'],
        into: [],
        ask: `Which of ${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''} make, show or change an object? They return the same every time.`,
        write: 'fields: { name: string }, and in an operation do: [{ create: NAME }]',
        calls: names.length,
      },
    };
  });
}

/** Asks when the events happen that no operation emits. */
function webhookQuestions(names: readonly string[]): { readonly file: string; readonly question: Question }[] {
  if (names.length === 0) return [];
  return [
    {
      file: 'pack.yaml',
      question: {
        at: ['name'],
        into: [],
        ask: `When are ${names.length} webhooks of the document sent (${names.slice(0, 4).join(', ')})? Nothing sends them.`,
        write: `events: { ${names[0]}: { on: updated } } in a resource, delivery: here`,
        calls: names.length,
      },
    },
  ];
}

/** Formats a file of the pack in its short forms. */
function packText(kind: FileKind, file: unknown): string {
  const text = packYaml(file);
  return shorten(kind, text) ?? text;
}

/** Resolves conflicts of operations with the same route: the path with more calls stays, else the first one. Reports the others. */
function withoutClashes(calls: readonly DocumentedCall[], decisions: string[]): DocumentedCall[] {
  const counts = new Map<string, number>();
  for (const { path } of calls) counts.set(path, (counts.get(path) ?? 0) + 1);
  const countOf = ({ path }: DocumentedCall): number => counts.get(path) ?? 0;
  const taken = new Map<string, DocumentedCall>();
  for (const call of calls) {
    const shape = shapeOf(call.method, call.path);
    const first = taken.get(shape);
    if (first === undefined || countOf(call) > countOf(first)) taken.set(shape, call);
  }
  return calls.filter((call) => {
    const served = taken.get(shapeOf(call.method, call.path));
    if (served !== undefined && served !== call)
      decisions.push(`${call.method.toUpperCase()} ${call.path} is omitted: it has the address of ${served.path}`);
    return served === call;
  });
}

function packFile(
  build: Build,
  name: string,
  auth: Readonly<Record<string, unknown>>,
  formats: readonly { readonly name: string; readonly parts: readonly unknown[]; readonly pattern?: string }[],
  calls: readonly DocumentedCall[],
): Record<string, unknown> {
  const { document, basePath } = build;
  const info = objectOr(document.root['info']);
  const types = calls.flatMap(({ operation }) => documentBody(document, operation['requestBody'])?.type ?? []);
  const forms = types.filter((type) => type.includes('x-www-form')).length;
  const parts = types.filter((type) => type.includes('multipart')).length;
  const requests = [
    forms > types.length / 2 ? ['form', 'json'] : ['json', ...(forms > 0 ? ['form'] : [])],
    parts > 0 ? 'multipart' : [],
  ].flat();
  return {
    name,
    title: titleOf(document, name),
    version: '0.1.0',
    faithful_to: `${titleOf(document, name)} ${textOr(info['version'])}, from its OpenAPI document`,
    timestamps: timestampsOf(build, calls),
    base_path: basePath === '' ? undefined : basePath,
    ids: Object.fromEntries(
      formats.map(({ name: own, parts: made, pattern }) => [
        own,
        { parts: made, ...(pattern === undefined ? {} : { pattern }) },
      ]),
    ),
    auth,
    cors: {},
    encoding: { requests: requests.length === 1 ? requests[0] : requests, single_values: true },
    idempotency: idempotencyOf(document, calls),
    validation: { unknown_parameters: 'ignore' },
    lists: { envelope: '${data}' },
    tombstone: {},
  };
}

function titleOf({ root }: Document, name: string): string {
  return textOr(objectOr(root['info'])['title']).replaceAll('${', () => '$ {') || name;
}

/** The most common format of times in examples: with or without milliseconds. */
function timestampsOf({ examplesOf }: Build, calls: readonly DocumentedCall[]): 'iso8601' | 'iso8601_seconds' {
  const counts = { whole: 0, parts: 0 };
  for (const call of calls)
    for (const { response } of examplesOf(call))
      for (const [, parts] of JSON.stringify(response).matchAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g))
        counts[parts === undefined ? 'whole' : 'parts']++;
  return counts.whole > counts.parts ? 'iso8601_seconds' : 'iso8601';
}

/** `idempotency:` of the pack, if calls accept an idempotency key as a header or body member. */
function idempotencyOf(document: Document, calls: readonly DocumentedCall[]): Record<string, unknown> | undefined {
  const taking = calls.flatMap(({ method, parameters }) =>
    parameters
      .filter((each) => each['in'] === 'header' && /idempoten/i.test(textOr(each['name'])))
      .map((each) => ({ method: method.toUpperCase(), header: textOr(each['name']) })),
  );
  const inBody = calls.flatMap(({ method, operation }) =>
    Object.keys(
      objectOr(plain(document, documentBody(document, operation['requestBody'])?.schema).schema['properties']),
    )
      .filter((name) => /^idempoten(?:cy|t)_?(?:key|id|token)?$/i.test(name))
      .map((param) => ({ method: method.toUpperCase(), param })),
  );
  const [header, param] = [taking[0]?.header, inBody[0]?.param];
  if (header === undefined && param === undefined) return undefined;
  const methods = [...new Set([...taking, ...inBody].map(({ method }) => method))];
  return {
    ...(header === undefined ? {} : { header }),
    ...(param === undefined ? {} : { param }),
    methods,
    retention: '24h',
  };
}

/** The path of the first server, such as `/v1` of `https://api.vendor.test/v1`. */
function basePathOf(root: Node): string {
  const url = textOr(objectOr(listOr(root['servers'])[0])['url']);
  const path = url
    .replace(/^[a-z]+:\/\/[^/]+/i, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
  return path.startsWith('/') ? path : path === '' ? '' : `/${path}`;
}

/** Resources by names of parameters and fields that probably contain their ids, such as `customer_id`. */
function likelyRefs(found: readonly SurveyedResource[]): Map<string, string> {
  const refs = new Map<string, string>();
  for (const { name, key } of found) {
    if (key.length !== 1) continue;
    refs.set(`${name}_id`, name);
    refs.set(`${singular(name)}_id`, name);
    if (snake(key[0]) !== 'id' && /_id$/.test(snake(key[0]))) refs.set(snake(key[0]), name);
  }
  return refs;
}
