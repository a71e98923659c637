import type { Build } from './build.js';
import { objectOr } from './document.js';
import { addEmission, type EventSubject, payloadOf, whenOf } from './emissions.js';
import { freeName, isIdentifier, snake } from './names.js';

/** The document's callbacks as events: only the address that a call sent gets the events of that call's object. */
interface Callbacks {
  /** The resource of addresses. */
  readonly endpoint: string;
  /** `events:` by the name of the resource. */
  readonly of: ReadonlyMap<string, Record<string, unknown>>;
  /** Some call sends an address. */
  readonly isThere: boolean;
}

/** The member of a body or a query with the address. */
const ADDRESS = /^\{\$request\.(?:body#\/|query\.)(\w+)\}/;

/**
 * Reads `callbacks` of calls that make or change an object: the address that the call sends becomes an endpoint which gets the events of that
 * object alone. Adds the steps to the operations. An event is sent when the object gets into the state that the callback is called after, into
 * any state of its machine, or else when the call is made.
 * @param webhooks events of the document's webhooks, of which a callback may be one
 */
export function buildCallbacks(
  build: Build,
  subjects: readonly EventSubject[],
  webhooks: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  taken: Set<string>,
): Callbacks {
  const of = new Map<string, Record<string, unknown>>();
  const endpoint = freeName('webhook_endpoint', taken);
  let isThere = false;
  for (const subject of subjects) {
    for (const { kind, name, call } of subject.calls) {
      if (kind !== 'create' && kind !== 'action' && kind !== 'update') continue;
      for (const [called, each] of Object.entries(objectOr(call.operation['callbacks']))) {
        const [[expression, item] = ['', undefined]] = Object.entries(build.document.at(each));
        const [, param = ''] = ADDRESS.exec(expression) ?? [];
        const operation = subject.operations[name];
        const payload = payloadOf(build, item, subject, called);
        if (!isIdentifier(param) || payload === undefined || !(param in objectOr(operation['params']))) continue;
        const moment = snake(called).replace(/^on_/, '');
        const event = `${subject.name}.${moment}`;
        const entered = subject.states.slice(1);
        const usual = whenOf(moment, subject, []);
        const isSentAtOnce =
          usual === undefined && entered.length === 0 && !(event in (webhooks.get(subject.name) ?? {}));
        const when = usual ?? (isSentAtOnce ? { emit: true } : { enter: entered });
        if (!(event in (webhooks.get(subject.name) ?? {}))) {
          of.set(subject.name, { ...of.get(subject.name), [event]: { ...when, snapshot: payload } });
          if (usual !== undefined && 'emit' in usual) addEmission(subject, called, event);
        }
        isThere = true;
        addSteps(operation, kind, subject, { endpoint, event, param, isSentAtOnce });
      }
    }
  }
  return { endpoint, of, isThere };
}

function addSteps(
  operation: Record<string, unknown>,
  kind: string,
  { name }: EventSubject,
  { endpoint, event, param, isSentAtOnce }: { endpoint: string; event: string; param: string; isSentAtOnce: boolean },
): void {
  const usual =
    kind === 'create' ? [{ create: name, from: 'params' }] : kind === 'update' ? [{ set: 'self', from: 'params' }] : [];
  const steps = (operation['do'] as unknown[] | undefined) ?? usual;
  const values = { url: `\${params.${param}}`, events: [event], only: '${self.id}' };
  operation['do'] = [
    ...steps,
    { create: endpoint, with: values, when: `params.${param} != null` },
    ...(isSentAtOnce ? [{ emit: event }] : []),
  ];
}
