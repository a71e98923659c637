import { isObject, type Json } from '../../../engine/values/index.js';
import { routeShape } from '../../../engine/program/index.js';
import type { Recorded } from '../../recordings/read.js';
import { valueWithoutSecrets } from '../../recordings/secrets.js';
import { Document, documentBody, isJson, listOr, METHODS, type Node, objectOr, textOr } from '../document.js';

/** A document with recorded calls added as examples, and the number of those calls. */
interface Learned {
  readonly document: Document;
  readonly used: number;
}

/** Placeholder for secrets in recordings. */
const HIDDEN = 'secret_0000000000000000';

/**
 * Adds recorded calls to a document as the first examples of their operations, and the bodies, statuses and errors that it lacks. The importer reads
 * them like the document's own examples, so ids, envelopes, times and errors get the vendor's real formats.
 */
export function withRecordings(document: Document, calls: readonly Recorded[]): Learned {
  const root = structuredClone(document.root);
  const base = new Document(root, document.original, document.warnings);
  const servers = listOr(root['servers']).map((each) =>
    textOr(objectOr(each)['url'])
      .replace(/^[a-z]+:\/\/[^/]+/i, '')
      .replace(/\/$/, ''),
  );
  const paths = Object.entries(objectOr(root['paths']));
  let used = 0;
  for (const call of calls) {
    const found = ['', ...servers].flatMap((server) => {
      const path = call.url.pathname.startsWith(`${server}/`) ? call.url.pathname.slice(server.length) : undefined;
      return path === undefined ? [] : paths.filter(([each]) => fits(each, path));
    });
    const [, item] = found.sort(([a], [b]) => names(a) - names(b))[0] ?? [];
    const method = METHODS.find((each) => each === call.method.toLowerCase());
    const operation = method === undefined ? undefined : base.at(item)[method];
    if (operation === undefined || call.partial === true) continue;
    used++;
    show(base, operation as Record<string, unknown>, call);
  }
  return { document: base, used };
}

const names = (path: string): number => (path.match(/\{/g) ?? []).length;

function fits(template: string, path: string): boolean {
  const parts = routeShape(template).split('/');
  const own = path.split('/');
  return parts.length === own.length && parts.every((part, at) => /^\{|^:|\*/.test(part) || part === own[at]);
}

function show(document: Document, operation: Record<string, unknown>, call: Recorded): void {
  const response = jsonOf(call.text);
  const sent = jsonOf(call.body);
  const responses = { ...objectOr(operation['responses']) };
  const documented = documentBody(document, responses[String(call.status)])?.schema;
  if (response !== undefined && documented !== undefined) addRecorded(document, documented, response);
  const status = String(call.status);
  if (response !== undefined)
    responses[status] = withExample(document.at(responses[status]), response, document.at(responses['default']));
  else responses[status] ??= { description: '' };
  operation['responses'] = responses;
  if (sent !== undefined && call.status < 300)
    operation['requestBody'] = withExample(document.at(operation['requestBody']), sent);
}

/** Adds a recorded value to a body as its first example, and drops the schema if the recording contradicts it. */
function withExample(body: Node, value: Json, other: Node = {}): Node {
  const content = objectOr(body['content'] ?? other['content']);
  const type = Object.keys(content).find(isJson) ?? 'application/json';
  const media = objectOr(content[type]);
  const { example, ...rest } = media;
  const examples = {
    recorded: { value },
    ...(example === undefined ? {} : { example: { value: example } }),
    ...objectOr(media['examples']),
  };
  return {
    description: '',
    ...body,
    content: { ...content, [type]: { schema: { type: Array.isArray(value) ? 'array' : 'object' }, ...rest, examples } },
  };
}

const MOST_LEVELS = 4;

/** Adds recorded values to the members of a schema as examples. */
function addRecorded(document: Document, schema: unknown, value: Json, depth = 0): void {
  const node = document.at(schema);
  if (depth > MOST_LEVELS) return;
  for (const key of ['allOf', 'oneOf', 'anyOf'])
    for (const each of listOr(node[key])) addRecorded(document, each, value, depth + 1);
  if (Array.isArray(value) && value.length > 0) addRecorded(document, node['items'], value[0] as Json, depth + 1);
  if (!isObject(value)) return;
  for (const [name, each] of Object.entries(value)) {
    const property = document.at(objectOr(node['properties'])[name]) as Record<string, unknown>;
    if (typeof each === 'object') addRecorded(document, property, each, depth + 1);
    else if (Object.keys(property).length > 0) {
      delete property['examples'];
      property['example'] = each;
      const values = listOr(property['enum']);
      if (values.length > 0 && !values.includes(each)) property['enum'] = [...values, each];
    }
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null ? valueWithoutSecrets(value, [], HIDDEN) : undefined;
  } catch {
    return undefined;
  }
}
