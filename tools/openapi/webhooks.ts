import type { Json, JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { documentBody, type Document, METHODS, type Node, objectOr } from './document.js';
import { escapedTemplate } from './fields.js';
import { freeName, singular, snake } from './names.js';
import { plain, schemaTypeName } from './types.js';

/** Events that a document describes, as parts of a pack. */
interface Webhooks {
  /** Keys of pack.yaml. */
  readonly pack: Readonly<Record<string, unknown>>;
  /** Files of the resources that hold events and where they are sent. */
  readonly files: Readonly<Record<string, Record<string, unknown>>>;
  /** `events:` by the name of the resource. */
  readonly of: ReadonlyMap<string, Record<string, unknown>>;
  /** Events of which the document does not say when they are sent. */
  readonly left: readonly string[];
}

/** A resource as events look at it. */
interface Subject {
  readonly name: string;
  readonly collection: string;
  readonly states: readonly string[];
  /** The name of its schema in the document. */
  readonly schema: string | undefined;
}

const MOMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:created|opened|added|new|submitted)$/, 'created'],
  [/^(?:updated|edited|changed|modified)$/, 'updated'],
  [/^(?:deleted|removed)$/, 'deleted'],
];

/** What a document has of webhooks: `webhooks` of OpenAPI 3.1, `x-webhooks` of earlier ones. */
function webhooksOf(root: Node): Node {
  return { ...objectOr(root['webhooks']), ...objectOr(root['x-webhooks']) };
}

/** Builds events of the webhooks that are called like a state of an object, or like what becomes of one. */
export function buildWebhooks(build: Build, subjects: readonly Subject[], taken: Set<string>): Webhooks {
  const of = new Map<string, Record<string, unknown>>();
  const left: string[] = [];
  for (const [name, item] of Object.entries(webhooksOf(build.document.root))) {
    const found = momentOf(name, subjects);
    const payload = found && payloadOf(build, item, found.subject, name);
    if (found === undefined || payload === undefined) {
      left.push(name);
      continue;
    }
    const own = typeof payload['type'] === 'string' && /^[a-z][\w.]*$/.test(payload['type']) ? payload['type'] : name;
    of.set(found.subject.name, { ...of.get(found.subject.name), [own]: { ...found.when, snapshot: payload } });
  }
  if (of.size === 0) return { pack: {}, files: {}, of, left };
  const event = freeName('webhook_event', taken);
  const endpoint = freeName('webhook_endpoint', taken);
  return {
    pack: {
      events: { resource: event, with: { type: '${type}', payload: '${snapshot}' } },
      delivery: {
        endpoint: {
          resource: endpoint,
          events: 'endpoint.events',
          register: { url: '${url}', events: '${events}' },
        },
        transports: {
          http: {
            url: 'endpoint.url',
            body: "${has(event.payload.id) ? merge(event.payload, {'id': event.id}) : event.payload}",
          },
        },
        retries: ['1m', '10m', '1h'],
      },
    },
    files: {
      [event]: {
        resource: event,
        collection: `${event}s`,
        id: { prefix: 'evt_' },
        fields: { type: 'string', payload: 'map' },
      },
      [endpoint]: {
        resource: endpoint,
        collection: `${endpoint}s`,
        id: { prefix: 'we_' },
        fields: { url: 'string', events: { type: 'array', items: 'string', default: ['*'] } },
      },
    },
    of,
    left,
  };
}

/** The object that an event is about, and when it is sent; the longest name of an object in it counts. */
function momentOf(
  name: string,
  subjects: readonly Subject[],
): { readonly subject: Subject; readonly when: Record<string, unknown> } | undefined {
  const words = snake(name);
  const fits = subjects.flatMap((subject) =>
    [...new Set([subject.name, subject.collection, singular(subject.collection)])].flatMap((own) => {
      const at = `_${words}`.indexOf(`_${own}_`);
      return at < 0 ? [] : [{ subject, length: own.length, moment: words.slice(at + own.length + 1) }];
    }),
  );
  for (const { subject, moment } of fits.sort((a, b) => b.length - a.length)) {
    const state = subject.states.find((each) => snake(each) === moment);
    if (state !== undefined) return { subject, when: { enter: state } };
    const on = MOMENTS.find(([pattern]) => pattern.test(moment))?.[1];
    if (on !== undefined) return { subject, when: { on } };
  }
  return undefined;
}

/** What an event says: what its schema accepts, with the object itself where the schema is the object's. */
function payloadOf(build: Build, item: unknown, subject: Subject, name: string): JsonObject | undefined {
  const { document, sampler } = build;
  const operation = METHODS.map((method) => objectOr(document.at(item)[method])).find(
    (each) => Object.keys(each).length > 0,
  );
  const body = documentBody(document, operation?.['requestBody']);
  const made = body && sampler.of(body.schema, body.examples);
  if (body === undefined || made === undefined || Array.isArray(made) || typeof made !== 'object' || made === null)
    return undefined;
  const { schema } = plain(document, body.schema);
  const shown: Record<string, Json> = {};
  for (const [key, value] of Object.entries(made))
    shown[key] = memberOf(document, key, value, objectOr(schema['properties'])[key], subject, name);
  return shown;
}

function memberOf(
  document: Document,
  key: string,
  value: Json,
  property: unknown,
  subject: Subject,
  name: string,
): Json {
  if (subject.schema !== undefined && document.nameOf(property) === subject.schema) return '${rest(self)}';
  const { schema } = plain(document, property);
  if (/^(?:type|event|event_type)$/.test(key) && schemaTypeName(schema) === 'string' && value !== name)
    return 'const' in schema || 'enum' in schema ? escapedTemplate(value) : '${type}';
  if (/^(?:created|created_at|timestamp|time)$/.test(key)) return typeof value === 'number' ? '${unix(now)}' : '${now}';
  const inside = objectOr(value) as Record<string, Json>;
  const isPointer = key === 'data' || key === 'object' || key === subject.name;
  if (isPointer && typeof inside['id'] === 'string')
    return { ...(escapedTemplate(inside) as Record<string, Json>), id: '${self.id}' };
  return escapedTemplate(value);
}
