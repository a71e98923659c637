import { bodyOf, type Document, list, type Node, object, parametersOf, successOf, text } from './document.js';
import { buildErrors } from './errors.js';
import { envelopeOf, type Paging, pagingOf } from './paging.js';
import { buildResource, likelyRefs } from './resource.js';
import { type Call, type Found, listShape, survey } from './survey.js';
import { packYaml } from './yaml.js';

/** A pack made of a document: its files by path, and what a person must still decide. */
export interface Imported {
  readonly files: Readonly<Record<string, string>>;
  readonly resources: readonly { readonly collection: string; readonly calls: number }[];
  readonly decisions: readonly string[];
}

/** Turns a document into a pack. */
export function importDocument(document: Document, name: string): Imported {
  const { root } = document;
  const { found, others } = survey(document);
  const decisions: string[] = [];
  const basePath = basePathOf(root);
  const refs = likelyRefs(found);
  const files: Record<string, string> = {};
  const errors = buildErrors(document);
  const resources = found.map((each) => ({ each, built: buildResource(each, document, basePath, refs) }));
  const formats = new Set(resources.map(({ built }) => built.idFormat));
  files['pack.yaml'] = packYaml(packFile(document, name, basePath, found, formats, decisions));
  files['errors.yaml'] = packYaml(errors.file);
  for (const { each, built } of resources) {
    files[`resources/${each.name}.yaml`] = packYaml(built.file);
    decisions.push(...new Set(built.notes.map((note) => `${each.collection}: ${note}`)));
  }
  decisions.push(...errors.notes);
  for (const { method, path } of others)
    decisions.push(`${method.toUpperCase()} ${path} is not imported: it belongs to no collection`);
  if (found.length > 0)
    decisions.push('webhooks and events: OpenAPI does not show when they are sent (`events:`, `delivery:`)');
  return { files, resources: found.map(({ collection, calls }) => ({ collection, calls: calls.length })), decisions };
}

function packFile(
  document: Document,
  name: string,
  basePath: string,
  found: readonly Found[],
  formats: ReadonlySet<string>,
  decisions: string[],
): Record<string, unknown> {
  const { root } = document;
  const info = object(root['info']);
  const lists = listCalls(found);
  const everything = found.flatMap(({ calls }) => calls.map(({ call }) => call));
  const forms = everything.filter(({ operation }) => bodyOf(operation['requestBody'])?.type.includes('form')).length;
  const bodies = everything.filter(({ operation }) => bodyOf(operation['requestBody'])).length;
  const put = found.some(({ calls }) => calls.some(({ kind, call }) => kind === 'update' && call.method === 'put'));
  return {
    name,
    title: text(info['title']) || name,
    version: '0.1.0',
    faithful_to: `${text(info['title']) || name} ${text(info['version'])}, from its OpenAPI document`,
    timestamps: 'iso8601',
    base_path: basePath === '' ? undefined : basePath,
    ids: Object.fromEntries(Object.entries(ID_FORMATS).filter(([format]) => formats.has(format))),
    auth: { schemes: schemesOf(root, decisions), key: { prefix: 'key_', random: 24 } },
    encoding: { requests: forms > bodies / 2 ? 'form' : 'json' },
    validation: { unknown_parameters: 'ignore' },
    routes: put ? { update: 'PUT' } : undefined,
    lists: listsOf(lists, decisions),
  };
}

const ID_FORMATS = {
  plain: { parts: [{ random: 16 }], pattern: '[0-9A-Za-z_-]{1,64}' },
  uuid: {
    parts: [{ random: 8 }, '-', { random: 4 }, '-4', { random: 3 }, '-a', { random: 3 }, '-', { random: 12 }],
    pattern: '[0-9A-Za-z]{8}(-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}',
  },
};

/** The path of the first server: `https://api.vendor.test/v1` serves below `/v1`. */
function basePathOf(root: Node): string {
  const url = text(object(list(root['servers'])[0])['url']);
  const path = url
    .replace(/^[a-z]+:\/\/[^/]+/i, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
  return path.startsWith('/') ? path : path === '' ? '' : `/${path}`;
}

function schemesOf(root: Node, decisions: string[]): string[] {
  const schemes = Object.entries(object(object(root['components'])['securitySchemes']));
  const found = new Set<string>();
  for (const [name, value] of schemes) {
    const scheme = object(value);
    const http = text(scheme['scheme']).toLowerCase();
    if (scheme['type'] === 'http' && (http === 'bearer' || http === 'basic')) found.add(http);
    else if (scheme['type'] === 'oauth2' || scheme['type'] === 'openIdConnect') found.add('bearer');
    else
      decisions.push(
        `authentication '${name}' (${text(scheme['type'])}${scheme['in'] === undefined ? '' : ` in ${text(scheme['in'])}`}) is not known to packs; the key is sent as a bearer token`,
      );
  }
  return found.size > 0 ? [...found] : ['bearer'];
}

interface ListCall {
  readonly call: Call;
  readonly collection: string;
  readonly paging: Paging;
  readonly shape: ReturnType<typeof listShape>;
}

function listCalls(found: readonly Found[]): ListCall[] {
  return found.flatMap(({ calls, collection }) =>
    calls.flatMap(({ kind, call }) => {
      if (kind !== 'list') return [];
      return [
        {
          call,
          collection,
          paging: pagingOf(parametersOf(call.item, call.operation)),
          shape: listShape(successOf(call.operation)?.body?.schema),
        },
      ];
    }),
  );
}

/** How lists look: as most of them do. */
function listsOf(lists: readonly ListCall[], decisions: string[]): Record<string, unknown> | undefined {
  if (lists.length === 0) return undefined;
  const envelopes = lists.map(({ shape, collection }) => ({
    collection,
    ...envelopeOf(shape?.key, shape?.envelope ?? {}),
  }));
  const counts = new Map<string, number>();
  for (const { template } of envelopes)
    counts.set(JSON.stringify(template), (counts.get(JSON.stringify(template)) ?? 0) + 1);
  const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0];
  for (const { collection, template, unknown } of envelopes) {
    if (JSON.stringify(template) !== usual)
      decisions.push(
        `${collection}: its list is answered as ${JSON.stringify(template)} in the document, here as ${usual}`,
      );
    for (const key of unknown) decisions.push(`${collection}: the key '${key}' of its list is left out`);
  }
  const pick = <T>(of: (paging: Paging) => T | undefined): T | undefined =>
    lists.map(({ paging }) => of(paging)).find((each) => each !== undefined);
  const offset = pick(({ offset: name }) => name);
  const after = pick(({ after: name }) => name);
  if (offset !== undefined && after === undefined)
    decisions.push(
      `lists: pages are asked for by '${offset}', which packs do not know; all but the first page need a cursor here`,
    );
  const size = pick(({ size: name }) => name);
  const limits =
    pick(({ limits: found }) => (Object.values(found).some((each) => each !== undefined) ? found : undefined)) ?? {};
  const bounds = {
    default: limits.default ?? Math.min(20, limits.max ?? 20),
    min: limits.min ?? 1,
    max: limits.max ?? Math.max(100, limits.default ?? 0),
  };
  return {
    envelope: JSON.parse(usual) as unknown,
    size: { ...(size === undefined ? {} : { param: size }), ...bounds },
    cursors: {
      after: after ?? 'cursor',
      ...(pick(({ before }) => before) === undefined ? {} : { before: pick(({ before }) => before) }),
    },
  };
}
