import type { Json } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { listOr, type Node, objectOr, textOr } from './document.js';
import { isIdentifier, singular, snake } from './names.js';
import { type SurveyedResource } from './survey.js';
import { plain, schemaTypeName } from './types.js';

/** How a resource's objects are identified. */
export interface ResourceIds {
  /** The property that contains the id; undefined if responses don't show it. */
  readonly field: string | undefined;
  /** `id:` of the resource file. */
  readonly file: Readonly<Record<string, unknown>>;
  /** Parts of an id format for pack.yaml, by the format's name. */
  readonly format: { readonly name: string; readonly parts: readonly unknown[]; readonly pattern?: string };
  /** Whether ids in responses are numbers. */
  readonly numeric: boolean;
  /** An example id. */
  readonly sample: string;
  /** The parameter of the create call that becomes the id. */
  readonly natural: string | undefined;
  readonly note: string | undefined;
}

const PLAIN = { name: 'plain', parts: [{ random: 16 }], pattern: '[0-9A-Za-z_-]{1,64}' };
const UUID = { name: 'uuid', parts: [{ uuid: 4 }] };
const SEQUENCE = { name: 'sequence', parts: [{ sequence: 1001 }] };
const UUID_SAMPLE = '0b5c4b0e-6c8f-4d6e-9a3b-2f1d5e7c9a01';
/** Character classes of patterns, the pack language's names for them, and an example character. */
const CLASSES: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:\\d|\[0-9\])$/, 'digits', '7'],
  [/^\[(?:0-9a-f|a-f0-9|0-9a-fA-F|a-fA-F0-9|A-Fa-f0-9|0-9A-Fa-f|a-f\\d)\]$/, 'hex', 'a'],
  [/^\[(?:0-9a-z|a-z0-9)\]$/, 'lower', 'a'],
  [/^\[(?:0-9A-Z|A-Z0-9)\]$/, 'upper', 'A'],
  [/^(?:\\w|\[(?:0-9a-zA-Z|a-zA-Z0-9|A-Za-z0-9|0-9A-Za-z)_?-?\])$/, 'base62', 'A'],
];

/** Derives the id format of a resource from responses, patterns and examples. */
export function idsOf(
  build: Build,
  found: SurveyedResource,
  schema: Node,
  title: string,
  needed: ReadonlySet<unknown>,
  settable: ReadonlySet<string>,
): ResourceIds {
  const { document } = build;
  if (found.isSingle === true)
    return {
      field: undefined,
      file: { pattern: '^.{1,255}$' },
      format: PLAIN,
      numeric: false,
      sample: 'a',
      natural: undefined,
      note: undefined,
    };
  const properties = objectOr(schema['properties']);
  const param = found.key.at(-1) ?? 'id';
  const inPath = found.calls
    .flatMap(({ call }) => call.parameters)
    .find((each) => each['in'] === 'path' && each['name'] === param);
  const inRoute = plain(document, objectOr(inPath)['schema']).schema;
  const field = idProperty(build, found, properties, param, schemaTypeName(inRoute));
  const property = field === undefined ? {} : plain(document, properties[field]).schema;
  if (found.key.length > 1)
    return {
      field,
      file: { key: found.key.map(snake), pattern: '^.{1,255}$' },
      format: PLAIN,
      numeric: false,
      sample: found.key.map(() => 'a').join('/'),
      natural: undefined,
      note: undefined,
    };
  const type = schemaTypeName(field === undefined ? inRoute : property);
  if (type === 'integer' || type === 'number')
    return {
      field,
      file: { format: 'sequence' },
      format: SEQUENCE,
      numeric: true,
      sample: '1001',
      natural: undefined,
      note: undefined,
    };
  const common = { field, numeric: false, natural: undefined, note: undefined };
  const linked = linkedKey(build, found, param);
  const natural = [linked?.isSent === true ? linked.name : undefined, snake(param), within(found, param), field].find(
    (name) =>
      name !== undefined &&
      isIdentifier(name) &&
      !isReplaced(build, found, name) &&
      ((linked?.isSent === true && name === linked.name) ||
        needed.has(name) ||
        (name === field &&
          !/(?:^|_)(?:u?u?id|guid|sid)$/.test(snake(name)) &&
          !('id' in properties) &&
          settable.has(snake(name)))),
  );
  if (natural !== undefined && found.calls.some(({ kind }) => kind === 'create'))
    return { ...common, file: { pattern: '^.{1,255}$' }, format: PLAIN, sample: 'a', natural };
  if (!found.calls.some(({ kind }) => kind === 'create'))
    return { ...common, file: { pattern: '^.{1,255}$' }, format: PLAIN, sample: UUID_SAMPLE };
  const pattern = [property, inRoute].map((each) => textOr(each['pattern'])).find((each) => each !== '');
  const byPattern = pattern === undefined ? undefined : formatOfPattern(pattern);
  if (byPattern) return { ...common, ...byPattern };
  const example = textOr(
    property['example'] ??
      listOr(property['examples'])[0] ??
      objectOr(schema['example'])[field ?? 'id'] ??
      exampleIn(build, found, field),
  );
  if (property['format'] === 'uuid' || inRoute['format'] === 'uuid' || /^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(example))
    return { ...common, file: { format: 'uuid' }, format: UUID, sample: UUID_SAMPLE };
  if (/^\d+$/.test(example)) return { ...common, file: { format: 'sequence' }, format: SEQUENCE, sample: '1001' };
  const [, shown = ''] = /^([A-Za-z]{1,16}[_-])[0-9A-Za-z_-]{3,}$/.exec(example) ?? [];
  const prefix = example === '' ? (build.client?.prefixes.get(snake(title)) ?? '') : shown;
  const note = prefix === '' && example === '' ? `no example shows how ids of a ${title} look` : undefined;
  return {
    ...common,
    file: { ...(prefix === '' ? {} : { prefix }), format: 'plain' },
    format: PLAIN,
    sample: `${prefix}A000000000000000`,
    note,
  };
}

/** Whether an example shows that the created object's id differs from the one in the request, such as `#new`. */
function isReplaced(build: Build, { calls }: SurveyedResource, name: string): boolean {
  const idsIn = (value: unknown): unknown[] =>
    [value, ...Object.values(objectOr(value))].map((each) => objectOr(each)[name]);
  return calls
    .filter(({ kind }) => kind === 'create')
    .flatMap(({ call }) => build.examplesOf(call))
    .some(({ sent, response }) => {
      const [given, shown] = [idsIn(sent), idsIn(response)].map((all) => all.find((each) => typeof each === 'string'));
      return given !== undefined && shown !== undefined && given !== shown && String(given).startsWith('#');
    });
}

/** The id member that a parameter refers to: `external_customer_id` of a customer is its `external_id`. */
function within({ name }: SurveyedResource, param: string): string | undefined {
  const words = snake(param).split(`_${singular(name)}_`);
  return words.length === 2 && words.every((each) => each !== '') ? words.join('_') : undefined;
}

/** The body member that the document's `links` put into the path of an object. @returns isSent: it is a member of the request */
function linkedKey(
  { document }: Build,
  { calls }: SurveyedResource,
  param: string,
): { readonly name: string; readonly isSent: boolean } | undefined {
  for (const { call } of calls)
    for (const response of Object.values(objectOr(call.operation['responses'])))
      for (const link of Object.values(objectOr(document.at(response)['links']))) {
        const given = objectOr(document.at(link)['parameters']);
        const [, from, pointer] =
          /^\$(request|response)\.body#\/(.+)$/.exec(textOr(given[param] ?? given[`path.${param}`])) ?? [];
        const name = pointer?.split('/').at(-1);
        if (name !== undefined && !/^\d+$/.test(name)) return { name, isSent: from === 'request' };
      }
  return undefined;
}

function idProperty(
  build: Build,
  found: SurveyedResource,
  properties: Node,
  param: string,
  inRoute: string,
): string | undefined {
  const { document } = build;
  const linked = linkedKey(build, found, param);
  if (linked !== undefined && linked.name in properties) return linked.name;
  // `{username}` is never a number, but `{id}` may be one even if the document declares a string.
  const wanted =
    inRoute === 'string' && !/^id$|_id$/.test(snake(param)) ? ['string', ''] : ['string', 'integer', 'number', ''];
  const scalar = (name: string): boolean => wanted.includes(schemaTypeName(plain(document, properties[name]).schema));
  const rest = snake(param).replace(new RegExp(`^${singular(found.name)}_`), '');
  // Without an id, an object is identified by its name.
  const inner = within(found, param);
  const candidates = [
    param,
    ...(inner === undefined ? [] : [inner]),
    rest,
    'id',
    `${found.name}_id`,
    `${found.name}Id`,
    'uuid',
    'gid',
    'sid',
    'key',
    'slug',
    'name',
  ];
  // `{id}` identifies the object whatever its member's name; `{issue_number}` is its `number`.
  const tail = new RegExp(`(?:^|_)${snake(param)}$`);
  const named =
    candidates.slice(0, inner === undefined ? 2 : 3).find((name) => name in properties && scalar(name)) ??
    Object.keys(properties).find((name) => tail.test(snake(name)) && scalar(name)) ??
    [...candidates, param.split('_').at(-1) ?? ''].find((name) => name in properties && scalar(name));
  return named ?? Object.keys(properties).find((name) => snake(name) === snake(param));
}

/** Recognises patterns of a prefix and a fixed number of characters of one class, such as `^CH[0-9a-fA-F]{32}$`. */
function formatOfPattern(pattern: string): Pick<ResourceIds, 'file' | 'format' | 'sample'> | undefined {
  const [, before] =
    /^\^?((?:[A-Za-z0-9_-]|\\-)*?)\[(?:0-9a-f|a-f0-9|0-9a-fA-F|a-fA-F0-9)\\?-\]\{36\}\$?$/.exec(pattern) ?? [];
  if (before !== undefined)
    return {
      file: { ...(before === '' ? {} : { prefix: before }), format: 'uuid' },
      format: UUID,
      sample: before + UUID_SAMPLE,
    };
  const [, prefix, kind, least, most] =
    /^\^?((?:[A-Za-z0-9_-]|\\-)*?)(\\d|\\w|\[[^\]]+\])(?:\{(\d+)(?:,(\d*))?\}|[+*])\$?$/.exec(pattern) ?? [];
  if (kind === undefined) return undefined;
  const known = CLASSES.find(([shape]) => shape.test(kind));
  if (!known) return undefined;
  const [, of, character] = known;
  const count = Number(least ?? 16) || Math.min(16, Number(most) || 16);
  const name = `${of}_${count}`;
  return {
    file: { ...(prefix === '' ? {} : { prefix: prefix.replaceAll('\\', '') }), format: name },
    format: { name, parts: [{ random: count, of }] },
    sample: `${prefix.replaceAll('\\', '')}${character.repeat(count)}`,
  };
}

function exampleIn(build: Build, { calls }: SurveyedResource, field: string | undefined): Json | undefined {
  if (field === undefined) return undefined;
  for (const { call } of calls) {
    for (const { response } of build.examplesOf(call)) {
      const within = Object.values(objectOr(response)).map(
        (each) => objectOr(Array.isArray(each) ? each[0] : each)[field],
      );
      const first = Array.isArray(response) ? objectOr(response[0])[field] : undefined;
      const found = [objectOr(response)[field], first, ...within].find((each) => each !== undefined);
      if (typeof found === 'string' || typeof found === 'number') return String(found);
    }
  }
  return undefined;
}

/** The hidden field that stores one part of a composite id. */
export function keyField(part: string): string {
  return `key_${snake(part)}`;
}
