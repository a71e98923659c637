import type { Json, JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { buildCallbacks } from './callbacks.js';
import { documentBody, type Document, listOr, METHODS, type Node, objectOr, textOr } from './document.js';
import { escapedTemplate, type Field } from './fields.js';
import { freeName, isIdentifier, singular, snake } from './names.js';
import type { SurveyedResource } from './survey.js';
import { plain, schemaTypeName } from './types.js';
import { participlesOf } from './verbs.js';

/** Events that a document describes, as parts of a pack. */
interface Webhooks {
  /** Keys of pack.yaml. */
  readonly pack: Readonly<Record<string, unknown>>;
  /** Files of the resources that hold events and where they are sent. */
  readonly files: Readonly<Record<string, Record<string, unknown>>>;
  /** `events:` by the name of the resource. */
  readonly of: ReadonlyMap<string, Record<string, unknown>>;
  /** Entries of causes.yaml: what the document doesn't say when it happens, a test says. */
  readonly causes: Readonly<Record<string, unknown>>;
  /** Events of which the document does not say what they are about. */
  readonly left: readonly string[];
}

/** A resource as events look at it. */
export interface EventSubject {
  readonly name: string;
  readonly collection: string;
  readonly title: string;
  readonly states: readonly string[];
  /** The name of its schema in the document. */
  readonly schema: string | undefined;
  readonly calls: SurveyedResource['calls'];
  readonly fields: ReadonlyMap<string, Field>;
  /** What its operations do, by their names; steps may be added. */
  readonly operations: Readonly<Record<string, Record<string, unknown>>>;
}

/** When an event is sent. */
interface Moment {
  readonly subject: EventSubject;
  readonly when: Readonly<Record<string, unknown>>;
  /** Nothing in the pack leads to it. */
  readonly isOutside?: true;
}

const MOMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:created|added|new|submitted)$/, 'created'],
  [/^(?:updated|edited|changed|modified)$/, 'updated'],
  [/^(?:deleted|removed)$/, 'deleted'],
];
/** What belongs to an event itself, whatever it is about. */
const ABOUT = /^(?:data|object|payload|resource|record|entity)$/;

/** What a document has of webhooks: `webhooks` of OpenAPI 3.1, `x-webhooks` of earlier ones. */
function webhooksOf(root: Node): Node {
  return { ...objectOr(root['webhooks']), ...objectOr(root['x-webhooks']) };
}

/**
 * Builds events of the webhooks: sent when an object gets into the state that they are called after, or when the call is made that they are
 * called after. Of the others that are about an object, a test says when they happen.
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

/** The object that an event is about, and when it is sent; the longest name of an object in it counts. */
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

/** When a moment comes by what calls do: a state is entered, an object is made, changed or deleted, or an action runs. */
export function whenOf(
  moment: string,
  { states, calls, operations, name }: EventSubject,
  all: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const state = states.find((each) => snake(each) === moment);
  if (state !== undefined) return { enter: state };
  // `opened` is a creation where something is closed later; where a mail is opened it is none.
  const siblings = new Set(all.map((each) => snake(each)).filter((each) => each.includes(name)));
  const isCreation = moment === 'opened' && [...siblings].some((each) => each.endsWith('closed'));
  const create = calls.find(({ kind }) => kind === 'create')?.call.operation;
  const [verb = ''] = /^[a-z]+/i.exec(textOr(create?.['summary']) || textOr(create?.['operationId'])) ?? [];
  const isVerb = verb !== '' && participlesOf(verb.toLowerCase()).includes(moment);
  if (isCreation || isVerb) return { on: 'created' };
  const on = MOMENTS.find(([pattern]) => pattern.test(moment))?.[1];
  if (on !== undefined) return { on };
  const action = actionCalled(moment, calls);
  return action !== undefined && 'do' in (operations[action] ?? {}) ? { emit: true } : undefined;
}

/** The action that a moment is called after. */
function actionCalled(moment: string, calls: EventSubject['calls']): string | undefined {
  return calls.find(({ kind, name }) => kind === 'action' && participlesOf(name.split('_')[0]).includes(moment))?.name;
}

/** Lets the action send an event that it is called after. */
export function addEmission(subject: EventSubject, name: string, event: string): void {
  const moment = lastWords(name, subject).replace(/^on_/, '');
  const action = actionCalled(moment, subject.calls);
  const operation = action === undefined ? undefined : subject.operations[action];
  if (operation !== undefined) operation['do'] = [...(operation['do'] as unknown[]), { emit: event }];
}

/** `opened` of `email.opened`. */
function lastWords(event: string, { name, collection }: EventSubject): string {
  const words = snake(event);
  const at = [name, singular(collection), collection].map((own) => `_${words}`.indexOf(`_${own}_`) + own.length + 1);
  return words.slice(Math.max(0, ...at.filter((each) => each > 1))) || words;
}

/** An external event that sends a webhook, and sets the field that has its name among its values (`last_event: opened`). */
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

/** What an event says: what its schema accepts, with the object itself where the schema is the object's. */
export function payloadOf(build: Build, item: unknown, subject: EventSubject, name: string): JsonObject | undefined {
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
  subject: EventSubject,
  name: string,
): Json {
  if (subject.schema !== undefined && document.nameOf(property) === subject.schema) return '${rest(self)}';
  const { schema } = plain(document, property);
  if (/^(?:type|event|event_type)$/.test(key) && schemaTypeName(schema) === 'string' && value !== name)
    return 'const' in schema || 'enum' in schema ? escapedTemplate(value) : '${type}';
  if (/^(?:created|created_at|timestamp|time)$/.test(key)) return typeof value === 'number' ? '${unix(now)}' : '${now}';
  const inside = objectOr(value) as Record<string, Json>;
  if ((ABOUT.test(key) || snake(key) === subject.name) && Object.keys(inside).length > 0)
    return Object.fromEntries(
      Object.entries(inside).map(([member, each]) => [member, ofSubject(member, each, subject)]),
    );
  return ofSubject(key, value, subject, false);
}

/** A member that an event has of its object, as the object has it. @param isInside it is a member of the object's own map */
function ofSubject(name: string, value: Json, { fields, name: own }: EventSubject, isInside = true): Json {
  if (snake(name) === `${own}_id` || (isInside && name === 'id'))
    return typeof value === 'string' ? '${self.id}' : escapedTemplate(value);
  const field = fields.get(name);
  const isKept = field !== undefined && isIdentifier(name) && typeof (field.at_first ?? value) === typeof value;
  return isInside && isKept ? `\${self.${name}}` : escapedTemplate(value);
}
