import type { Build } from './build.js';
import { buildCallbacks } from './callbacks.js';
import { listOr, type Node, objectOr } from './document.js';
import { addEmission, type EventSubject, lastWords, payloadOf, whenOf } from './emissions.js';
import { freeName, singular, snake } from './names.js';

/** A document's webhook events, as parts of a pack. */
interface Webhooks {
  /** Keys of pack.yaml. */
  readonly pack: Readonly<Record<string, unknown>>;
  /** Resource files for events and webhook endpoints. */
  readonly files: Readonly<Record<string, Record<string, unknown>>>;
  /** `events:` by resource name. */
  readonly of: ReadonlyMap<string, Record<string, unknown>>;
  /** Entries of causes.yaml, with which tests trigger events of unknown cause. */
  readonly causes: Readonly<Record<string, unknown>>;
  /** Events whose object the document doesn't identify. */
  readonly left: readonly string[];
}

/** When an event is emitted. */
interface Moment {
  readonly subject: EventSubject;
  readonly when: Readonly<Record<string, unknown>>;
  /** No operation emits it. */
  readonly isOutside?: true;
}

/** A document's webhooks: `webhooks` of OpenAPI 3.1, or `x-webhooks` of earlier versions. */
function webhooksOf(root: Node): Node {
  return { ...objectOr(root['webhooks']), ...objectOr(root['x-webhooks']) };
}

/**
 * Builds events from the document's webhooks. An event is emitted when the object enters the state, or when the call is made, that it is named after.
 * For other events about an object, a test triggers an external event.
 */
export function buildWebhooks(build: Build, subjects: readonly EventSubject[], taken: Set<string>): Webhooks {
  const of = new Map<string, Record<string, unknown>>();
  const causes: Record<string, unknown> = {};
  const left: string[] = [];
  const hooks = Object.entries(webhooksOf(build.document.root));
  const names = hooks.map(([name]) => name);
  for (const [name, item] of hooks) {
    const found = momentOf(name, subjects, names);
    const payload = found && payloadOf(build, item, found.subject, name);
    if (found === undefined || payload === undefined) {
      left.push(name);
      continue;
    }
    const own = typeof payload['type'] === 'string' && /^[a-z][\w.]*$/.test(payload['type']) ? payload['type'] : name;
    const { subject } = found;
    if ('emit' in found.when && found.isOutside !== true) addEmission(subject, name, own);
    of.set(subject.name, { ...of.get(subject.name), [own]: { ...found.when, snapshot: payload } });
    if (found.isOutside === true) causes[`${subject.name}.${lastWords(own, subject)}`] = causeOf(own, subject);
  }
  const callbacks = buildCallbacks(build, subjects, of, taken);
  for (const [name, events] of callbacks.of) of.set(name, { ...of.get(name), ...events });
  if (of.size === 0) return { pack: {}, files: {}, of, causes, left };
  const event = freeName('webhook_event', taken);
  const { endpoint } = callbacks;
  const isCalledBack = callbacks.isThere;
  return {
    pack: {
      events: {
        resource: event,
        with: { type: '${type}', payload: '${snapshot}', ...(isCalledBack ? { about: '${object.id}' } : {}) },
      },
      delivery: {
        endpoint: {
          resource: endpoint,
          events: 'endpoint.events',
          ...(isCalledBack ? { when: 'endpoint.only == null || event.about == endpoint.only' } : {}),
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
        fields: {
          type: 'string',
          payload: 'map',
          ...(isCalledBack ? { about: { type: 'string', nullable: true, hidden: true } } : {}),
        },
      },
      [endpoint]: {
        resource: endpoint,
        collection: `${endpoint}s`,
        id: { prefix: 'we_' },
        fields: {
          url: 'string',
          events: { type: 'array', items: 'string', default: ['*'] },
          ...(isCalledBack ? { only: { type: 'string', nullable: true, hidden: true } } : {}),
        },
      },
    },
    of,
    causes,
    left,
  };
}

/** The object of an event (the longest resource name in the event's name), and when it is emitted. */
function momentOf(name: string, subjects: readonly EventSubject[], all: readonly string[]): Moment | undefined {
  const words = snake(name);
  const fits = subjects.flatMap((subject) =>
    [...new Set([subject.name, subject.collection, singular(subject.collection)])].flatMap((own) => {
      const at = `_${words}`.indexOf(`_${own}_`);
      return at < 0 ? [] : [{ subject, length: own.length, moment: words.slice(at + own.length + 1) }];
    }),
  );
  const sorted = fits.sort((a, b) => b.length - a.length);
  for (const { subject, moment } of sorted) {
    const when = whenOf(moment, subject, all);
    if (when !== undefined) return { subject, when };
  }
  const [first] = sorted;
  return first === undefined ? undefined : { subject: first.subject, when: { emit: true }, isOutside: true };
}

/** An external event that emits a webhook and sets the enum field that has its name as a value (`last_event: opened`). */
function causeOf(event: string, subject: EventSubject): Record<string, unknown> {
  const moment = lastWords(event, subject);
  const fields = [...subject.fields].flatMap(([name, { type }]) => {
    const value = listOr(objectOr(type)['enum']).find((each) => snake(String(each)) === moment);
    return value === undefined || objectOr(type)['machine'] === true ? [] : [[name, value] as const];
  });
  return {
    description: `The vendor sends ${event}.`,
    subject: { param: `${subject.name}_id`, resource: subject.name },
    do: [...(fields.length === 0 ? [] : [{ set: 'self', to: Object.fromEntries(fields) }]), { emit: event }],
  };
}
