import type { Build } from './build.js';
import { objectOr } from './document.js';
import { addEmission, type EventSubject, payloadOf, whenOf } from './emissions.js';
import { freeName, isIdentifier, snake } from './names.js';

/** The document's callbacks as events. Only the URL in a request receives the events of that request's object. */
interface Callbacks {
  /** The resource that stores callback URLs. */
  readonly endpoint: string;
  /** `events:` by resource name. */
  readonly of: ReadonlyMap<string, Record<string, unknown>>;
  /** Whether any call sends a callback URL. */
  readonly isThere: boolean;
}

/** Matches the request member that contains the callback URL. */
const ADDRESS = /^\{\$request\.(?:body#\/|query\.)(\w+)\}/;

/**
 * Reads `callbacks` of calls that create or change an object: the URL in the request becomes an endpoint that receives the events of that object
 * alone. Adds the steps to the operations. An event is emitted when the object enters the state in the callback's name, or any state of its machine;
 * without a machine, when the call is made.
 * @param webhooks events of the document's webhooks, which may have the same names
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
