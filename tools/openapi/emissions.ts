import type { Json, JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { type Document, documentBody, METHODS, objectOr, textOr } from './document.js';
import { escapedTemplate } from './fields.js';
import { isIdentifier, singular, snake } from './names.js';
import type { SurveyedResource } from './survey.js';
import { type Field, plain, schemaTypeName } from './types.js';
import { participlesOf } from './verbs.js';

/** A resource, with the data that decides which of its operations emit an event. */
export interface EventSubject {
  readonly name: string;
  readonly collection: string;
  readonly title: string;
  readonly states: readonly string[];
  /** Name of its schema in the document. */
  readonly schema: string | undefined;
  readonly calls: SurveyedResource['calls'];
  readonly fields: ReadonlyMap<string, Field>;
  /** Operations of the resource by name; steps may be added. */
  readonly operations: Readonly<Record<string, Record<string, unknown>>>;
}

const MOMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:created|added|new|submitted)$/, 'created'],
  [/^(?:updated|edited|changed|modified)$/, 'updated'],
  [/^(?:deleted|removed)$/, 'deleted'],
];
/** Event members that contain the object. */
const ABOUT = /^(?:data|object|payload|resource|record|entity)$/;

/** Decides when an event occurs, from its last word: when a state is entered, an object is created, changed or deleted, or an action runs. */
export function whenOf(
  moment: string,
  { states, calls, operations, name }: EventSubject,
  all: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const state = states.find((each) => snake(each) === moment);
  if (state !== undefined) return { enter: state };
  // `opened` means created if there is also `closed`; `email.opened` doesn't.
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

/** The action whose past participle is the event's name. */
function actionCalled(moment: string, calls: EventSubject['calls']): string | undefined {
  return calls.find(({ kind, name }) => kind === 'action' && participlesOf(name.split('_')[0]).includes(moment))?.name;
}

/** Makes an action emit the event that is named after it. */
export function addEmission(subject: EventSubject, name: string, event: string): void {
  const moment = lastWords(name, subject).replace(/^on_/, '');
  const action = actionCalled(moment, subject.calls);
  const operation = action === undefined ? undefined : subject.operations[action];
  if (operation !== undefined) operation['do'] = [...(operation['do'] as unknown[]), { emit: event }];
}

/** The last words of an event's name, such as `opened` of `email.opened`. */
export function lastWords(event: string, { name, collection }: EventSubject): string {
  const words = snake(event);
  const at = [name, singular(collection), collection].map((own) => `_${words}`.indexOf(`_${own}_`) + own.length + 1);
  return words.slice(Math.max(0, ...at.filter((each) => each > 1))) || words;
}

/** The payload of an event: a valid value of its schema, in which members about the object are templates of the object. */
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

/** The value of a payload member that the object also has. @param isInside the member is inside the payload's object */
function ofSubject(name: string, value: Json, { fields, name: own }: EventSubject, isInside = true): Json {
  if (snake(name) === `${own}_id` || (isInside && name === 'id'))
    return typeof value === 'string' ? '${self.id}' : escapedTemplate(value);
  const field = fields.get(name);
  const isKept = field !== undefined && isIdentifier(name) && typeof (field.at_first ?? value) === typeof value;
  return isInside && isKept ? `\${self.${name}}` : escapedTemplate(value);
}
