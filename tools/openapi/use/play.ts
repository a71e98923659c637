import { keyHeaders, type Sandbox } from '../../../engine/index.js';
import { routeShape } from '../../../engine/program/index.js';
import { isObject, type Json } from '../../../engine/values/index.js';
import type { Contract, DocumentedCall } from '../contract.js';
import { documentBody, listOr, objectOr, successOf, textOr } from '../document.js';
import { namesIn } from '../names.js';
import { Session } from '../session.js';
import { missingOf, propertiesOf } from './demands.js';
import { idIn, listed, nounsOf, otherId } from './ids.js';
import { type UsedResource, usedResources } from './resources.js';
import { unlikeShown } from './shown.js';
import { encoded, SentValues } from './values.js';

/** The usual calls of a resource, in the order in which a client makes them. */
export const USUAL_CALLS = [
  'create',
  'read',
  'list',
  'change',
  'changed',
  'missing',
  'key',
  'unknown',
  'delete',
  'gone',
] as const;
type UsualCall = (typeof USUAL_CALLS)[number];

/** Results of a resource's usual calls: null if it works, else the reason. Calls that the document doesn't have are omitted. */
interface ResourceUse {
  readonly resource: string;
  readonly calls: Readonly<Partial<Record<UsualCall, string | null>>>;
}

/** How many of a document's usual calls work on a pack. `measured` is 0 if there were none. */
export interface UseReport {
  readonly works: number;
  readonly measured: number;
  readonly resources: readonly ResourceUse[];
}

interface Received {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly body: Json | undefined;
}

/** A created object, and the values of its path parameters. */
interface MadeObject {
  readonly id: string | undefined;
  readonly path: readonly string[];
  readonly sent: Json;
  readonly problem: string | null;
}

/**
 * Makes the usual calls of each resource as a client would, with values other than the document's examples, and checks that responses return them.
 * The document alone decides which calls count, so that two packs can be compared.
 */
export async function useOf(sandbox: Sandbox, contract: Contract): Promise<UseReport> {
  const user = new User(sandbox, contract);
  const resources = await user.all();
  const results = resources.flatMap(({ calls }) => Object.values(calls));
  return { works: results.filter((each) => each === null).length, measured: results.length, resources };
}

class User {
  readonly #session: Session;
  readonly #values: SentValues;
  readonly #resources: readonly UsedResource[];
  readonly #known = new Map<UsedResource, MadeObject>();
  readonly #making = new Set<UsedResource>();
  readonly #byNoun = new Map<string, string>();
  #count = 40;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly contract: Contract,
  ) {
    this.#session = new Session(sandbox, contract, 1);
    this.#resources = usedResources(contract);
    this.#values = new SentValues(contract, (noun) => this.#byNoun.get(noun));
  }

  /** Creates one object of each resource, for references, then makes the measured calls. */
  async all(): Promise<readonly ResourceUse[]> {
    for (const each of this.#resources) await this.#provided(each);
    const found: ResourceUse[] = [];
    for (const each of this.#resources) found.push({ resource: each.base, calls: await this.#used(each) });
    return found;
  }

  /** An object of a resource that isn't deleted, as a parent or for references. */
  async #provided(resource: UsedResource): Promise<MadeObject | undefined> {
    const known = this.#known.get(resource);
    if (known !== undefined || resource.create === undefined || this.#making.has(resource)) return known;
    this.#making.add(resource);
    const made = await this.#made(resource);
    this.#making.delete(resource);
    this.#known.set(resource, made);
    if (made.id !== undefined && made.problem === null)
      for (const noun of nounsOf(resource)) if (!this.#byNoun.has(noun)) this.#byNoun.set(noun, made.id);
    return made;
  }

  /** Values of the path parameters of a collection: existing ids, if the document has such resources. */
  async #parents(base: string): Promise<string[]> {
    const parts = base.split('/');
    const values: string[] = [];
    for (const [index, part] of parts.entries()) {
      if (!part.includes('{')) continue;
      const upTo = routeShape(parts.slice(0, index + 1).join('/'));
      const parent = this.#resources.find(({ itemPath }) => itemPath !== undefined && routeShape(itemPath) === upTo);
      const made = parent && (await this.#provided(parent));
      const usable = made !== undefined && made.id !== undefined && made.path.length === values.length + 1;
      if (usable) values.splice(0, values.length, ...made.path);
      else values.push(this.#shown(base, part));
    }
    return values;
  }

  /** The documented value of a path parameter. */
  #shown(base: string, part: string): string {
    const [name] = namesIn(part);
    const known = this.#values.reference(name);
    if (known !== undefined) return known;
    const holder = this.contract.calls.find(({ path }) => path.startsWith(base));
    const parameter = holder?.parameters.find((each) => each['in'] === 'path' && each['name'] === name) ?? { name };
    return this.#values.parameter(parameter).replaceAll('/', '-') || 'x1';
  }

  async #made(resource: UsedResource): Promise<MadeObject> {
    const call = resource.create as DocumentedCall;
    const parents = await this.#parents(resource.base);
    const nth = this.#count++;
    const sent = this.#values.body(call, nth, namesIn(resource.itemPath ?? '').at(-1), nounsOf(resource));
    const isNamed = call.path === resource.itemPath;
    const name = isNamed
      ? this.#values.name(call.parameters.findLast((each) => each['in'] === 'path') ?? {}, nth)
      : undefined;
    const path = name === undefined ? parents : [...parents, name];
    const received = await this.#send(call, path, sent);
    const problem = this.#wrong(call, received) ?? this.#lost(call, sent, received);
    const id =
      name ??
      (received.status < 300
        ? (idIn(resource, received.body) ?? (await this.#idInList(resource, parents, sent)) ?? idIn(resource, sent))
        : undefined);
    return { id, path: id === undefined ? parents : [...parents, id], sent, problem };
  }

  /** Finds the id of an object whose create call returned none: the list item that contains a text from the request. */
  async #idInList(resource: UsedResource, parents: readonly string[], sent: Json): Promise<string | undefined> {
    const { list } = resource;
    if (list === undefined) return undefined;
    const { body } = await this.#send(list, parents);
    const texts = Object.values(isObject(sent) ? sent : {}).filter(
      (each): each is string => typeof each === 'string' && /juniper/i.test(each),
    );
    const lists = Array.isArray(body)
      ? [body]
      : Object.values(isObject(body ?? null) ? (body as object) : {}).filter(Array.isArray);
    const items: readonly unknown[] = lists.flat();
    const item = items.find((each) => texts.some((text) => listed([each as Json], text)));
    return item === undefined ? undefined : idIn(resource, item as Json);
  }

  async #used(resource: UsedResource): Promise<ResourceUse['calls']> {
    const { create, read, list, change, remove } = resource;
    const calls: Partial<Record<UsualCall, string | null>> = {};
    const made =
      create === undefined
        ? { id: '', path: await this.#parents(resource.base), sent: {}, problem: null }
        : await this.#made(resource);
    if (create !== undefined) calls.create = made.problem;
    const first = this.#known.get(resource);
    const lost =
      made.id === undefined
        ? 'the object that was created has no id'
        : made.id !== '' && made.id === first?.id
          ? `two objects have the id ${made.id}`
          : null;
    if (read !== undefined) calls.read = lost ?? (await this.#reads(read, made, made.sent));
    if (list !== undefined) calls.list = lost ?? (await this.#lists(list, made));
    if (change !== undefined) {
      const body = named(this.#values.body(change, this.#count++), made);
      const received = lost === null ? await this.#send(change, made.path, body) : undefined;
      calls.change = received === undefined ? lost : this.#wrong(change, received);
      if (read !== undefined)
        calls.changed = calls.change === null ? await this.#reads(read, made, body) : 'it could not be changed';
    }
    const lacking = create && this.#values.lacking(create, made.sent);
    if (create && lacking)
      calls.missing = this.#rejection(
        create,
        await this.#send(create, made.path, lacking.body),
        `without ${lacking.name}`,
        [400, 422],
      );
    const asked = list ?? read;
    if (asked !== undefined && this.#isSecured(asked))
      calls.key = this.#rejection(
        asked,
        await this.#send(asked, made.path, undefined, true),
        'with a wrong key',
        [401, 403],
      );
    if (read !== undefined && create !== undefined) {
      const unknown = [...made.path.slice(0, namesIn(resource.base).length), otherId(made.id ?? 'abcdefgh1')];
      calls.unknown = this.#rejection(read, await this.#send(read, unknown), 'with an unknown id', [404]);
    }
    if (remove !== undefined && create !== undefined) {
      const before = read === undefined || lost !== null ? undefined : (await this.#send(read, made.path)).body;
      calls.delete = lost ?? this.#wrong(remove, await this.#send(remove, made.path));
      const looks = read ?? list;
      if (looks !== undefined)
        calls.gone = calls.delete === null ? await this.#isGone(looks, made, before) : 'it could not be deleted';
    }
    return calls;
  }

  async #reads(read: DocumentedCall, made: MadeObject, sent: Json): Promise<string | null> {
    const received = await this.#send(read, made.path);
    return this.#wrong(read, received) ?? this.#lost(read, sent, received);
  }

  async #lists(list: DocumentedCall, made: MadeObject): Promise<string | null> {
    const received = await this.#send(list, made.path);
    const wrong = this.#wrong(list, received);
    if (wrong !== null) return wrong;
    return listed(received.body, made.id ?? '')
      ? null
      : `${said(list)}: the list lacks ${made.id ?? ''}: ${received.text.slice(0, 100)}`;
  }

  /** Checks that an object is deleted: not found, not listed, or marked as deleted. */
  async #isGone(looks: DocumentedCall, made: MadeObject, before: Json | undefined): Promise<string | null> {
    const { status, body, text } = await this.#send(looks, made.path);
    if (!looks.path.endsWith('}')) return listed(body, made.id ?? '') ? `${said(looks)}: the list still has it` : null;
    if (status >= 400 && status < 500) return null;
    const marked = flagsIn(body);
    return status < 300 && marked !== flagsIn(before)
      ? null
      : `${said(looks)}: ${status} ${text.slice(0, 80)} after it was deleted`;
  }

  /** The error in a response that should be a success. */
  #wrong(call: DocumentedCall, received: Received): string | null {
    const { status, text } = received;
    if (status >= 300) return `${said(call)}: ${status} ${text.slice(0, 160)}`;
    const { documented, problems } = this.contract.judge(call, received);
    if (!documented) return `${said(call)}: status ${status} is not in the document`;
    if (problems.length > 0) return `${said(call)}: ${problems[0]}`;
    const unlike = unlikeShown(this.contract, call, received.body, this.sandbox.engine.world.nowMs);
    return unlike === null ? null : `${said(call)}: ${unlike}`;
  }

  #lost(call: DocumentedCall, sent: Json, { body }: Received): string | null {
    const shown = successOf(this.contract.document, call.operation)?.body;
    if (shown === undefined || body === undefined) return null;
    const missing = missingOf(this.contract, shown.schema, sent, body);
    return missing === null ? null : `${said(call)}: ${missing}`;
  }

  /** Checks that a response is the rejection that the document describes. @param usual expected statuses; documented ones are preferred */
  #rejection(call: DocumentedCall, received: Received, how: string, usual: readonly number[]): string | null {
    const { status, body, text } = received;
    const named = objectOr(call.operation['responses']);
    if (status < 400 || status >= 500) return `${said(call)} ${how}: ${status} ${text.slice(0, 80)}`;
    if (usual.some((each) => each in named) && !(status in named))
      return `${said(call)} ${how}: status ${status} is not in the document`;
    const schemas = Object.entries(named)
      .filter(([each]) => each === String(status) || (!(status in named) && /^(?:4|default)/.test(each)))
      .flatMap(([, each]) => documentBody(this.contract.document, each)?.schema ?? []);
    if (schemas.length === 0) return null;
    return schemas.some((schema) => this.#hasForm(schema, body))
      ? null
      : `${said(call)} ${how}: ${text.slice(0, 100)} isn't the document's error`;
  }

  #hasForm(schema: unknown, body: Json | undefined): boolean {
    if (this.contract.errors(schema, body ?? null).length > 0) return false;
    const names = Object.keys(propertiesOf(this.contract.document, schema));
    return (
      names.length === 0 ||
      Object.keys(isObject(body ?? null) ? (body as object) : {}).some((name) => names.includes(name))
    );
  }

  #isSecured({ operation }: DocumentedCall): boolean {
    const needed = operation['security'] ?? this.contract.document.root['security'];
    return listOr(needed).length > 0 && listOr(needed).every((each) => Object.keys(objectOr(each)).length > 0);
  }

  async #send(call: DocumentedCall, values: readonly string[], body?: Json, wrongKey = false): Promise<Received> {
    let index = 0;
    const path = call.path
      .replace(/[?#].*$/, '')
      .replace(/\{[^{}]+\}/g, () => encodeURIComponent(values[index++] ?? 'x1'));
    const required = (place: string): [string, string][] =>
      call.parameters
        .filter(
          (each) =>
            each['in'] === place &&
            each['required'] === true &&
            !/^(?:accept|content-type|authorization)$/i.test(textOr(each['name'])),
        )
        .map((each) => [
          textOr(each['name']),
          this.#values.reference(textOr(each['name'])) ?? this.#values.parameter(each),
        ]);
    const query = new URLSearchParams(required('query')).toString();
    const sent = body === undefined ? undefined : encoded(this.contract, call, body);
    const { engine, url, key } = this.sandbox;
    const response = await fetch(`${url}${this.#session.base}${path}${query === '' ? '' : `?${query}`}`, {
      method: call.method.toUpperCase(),
      headers: {
        ...Object.fromEntries(required('header')),
        ...keyHeaders(engine.model.settings.auth, wrongKey ? `${key.slice(0, -3)}zzz` : key),
        ...(sent === undefined || sent.type === '' ? {} : { 'content-type': sent.type }),
      },
      body: sent?.text,
      redirect: 'manual',
    });
    const text = await response.text();
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      text,
      body: parsed(text),
    };
  }
}

/** Removes a change to the name by which the object is found, also inside a wrapper. */
function named(body: Json, { id, sent }: Pick<MadeObject, 'id' | 'sent'>): Json {
  if (!isObject(body) || !isObject(sent)) return body;
  const kept = Object.entries(body).map(([key, each]): readonly [string, Json] => {
    const before = sent[key];
    return [key, id !== undefined && before === id ? before : named(each, { id, sent: before ?? null })];
  });
  return Object.fromEntries(kept);
}

const said = ({ method, path }: DocumentedCall): string => `${method.toUpperCase()} ${path}`;

/** The status members of an object as text, for comparison. */
function flagsIn(value: Json | undefined): string {
  const found: Json[] = [];
  JSON.stringify(value ?? null, (key, each: Json) => {
    if (/delet|archiv|remov|activ|status|state|trash|cancel/i.test(key)) found.push(each);
    return each;
  });
  return JSON.stringify(found);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
