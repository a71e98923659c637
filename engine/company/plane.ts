import type { Request, Response } from 'express';
import {
  allEventTypes,
  bodyWithin,
  CONTROL_PATH,
  type ControlContext,
  controlPlane,
  ControlRejection,
} from '../control/index.js';
import { callWithin, pathOf, type Plane, queryOf } from '../http/index.js';
import type { Engine } from '../runtime/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import { readInstant } from '../world/index.js';

/** A pack of a company, for the control API. */
interface PlaneMember {
  readonly name: string;
  readonly context: ControlContext;
}

/** Members of bodies and queries that contain a name of one pack. */
const NAMING = ['resource', 'cause', 'operation', 'event'] as const;

/** Routes with the same response for all packs, so that the first pack serves them. */
const SHARED = /^\/(?:clock|export|reset|rewind|run|(?:moments|worlds)(?:\/.*)?)$/;

/**
 * The control API of a company. Shared routes (clock, reset, rewind) apply to all packs; others select a pack:
 * `/vendors/NAME/...` is the control API of that pack, and names such as `loans/books` select it too. A name that only one pack
 * has needs no prefix.
 * @param about data of the company file, and the reports of its rules; null: no file
 */
export function companyPlane(
  members: readonly PlaneMember[],
  vendors: ReadonlyMap<Engine, string>,
  about: (() => JsonObject) | null,
): Plane {
  const planes = members.map(({ name, context }) => ({
    name,
    context,
    plane: controlPlane({ ...context, vendors }),
  }));
  type Target = (typeof planes)[number];
  const [lead] = planes;
  const all = members.map(({ name, context: { engine, outbox } }) => ({ name, engine, outbox }));
  const whole = controlPlane({ ...lead.context, vendors, members: all });
  const names = members.map(({ name }) => name);

  /** The pack with a name. @throws ControlRejection for an unknown pack */
  const named = (name: string): Target => {
    const found = planes.find((each) => each.name === name);
    if (found) return found;
    throw new ControlRejection(404, 'unknown_pack', `this company has no '${name}'; it has ${names.join(', ')}`);
  };
  /** Splits a name into its pack and the rest. @throws ControlRejection for a name that several packs have */
  const meant = (text: string): { readonly target: Target; readonly rest: string } => {
    const at = text.indexOf('/');
    if (at > 0 && names.includes(text.slice(0, at)))
      return { target: named(text.slice(0, at)), rest: text.slice(at + 1) };
    const having = planes.filter(({ context }) => hasName(context, text));
    if (having.length > 1) {
      const all = having.map(({ name }) => `${name}/${text}`);
      throw new ControlRejection(400, 'ambiguous_name', `'${text}' is a name of several packs: ${all.join(' or ')}`, {
        suggestion: all[0],
      });
    }
    if (having.length === 1) return { target: having[0], rest: text };
    throw new ControlRejection(
      404,
      'unknown_name',
      `no pack of this company has '${text}'; its packs are ${names.join(', ')}`,
    );
  };

  const run: Plane['handler'] = async (req, res, next) => {
    const path = pathOf(req.url);
    const { authorization, host } = req.headers;
    const { engine, guard } = lead.context;
    const isAdmitted = guard.check(authorization).ok && engine.runtime.surroundings.address.admits(host);
    // The control API of the first pack sends the error for a missing or wrong key, or a foreign host name.
    if (!isAdmitted) return lead.plane.handler(req, res, next);
    const ofOne = /^\/vendors\/([^/]+)(\/.*)?$/.exec(path);
    if (ofOne) {
      const [, name, rest = '/'] = ofOne;
      const query = queryOf(req.url);
      req.url = query === '' ? rest : `${rest}?${query}`;
      return named(decodeURIComponent(name)).plane.handler(req, res, next);
    }
    if (path === '/clock/advance') return advance(req, res, next);
    if (SHARED.test(path)) return lead.plane.handler(req, res, next);
    if (path === '/') return list(res);
    if (path === '/diff') return diff(req, res);
    if (path === '/judge') return whole.handler(req, res, next);
    const joined = JOINED[path];
    if (joined !== undefined) return joinAll(joined, req, res);
    if (path === '/webhooks/flush') return flush(req, res);
    if (path === '/company' && about) return void res.json(about());
    const query = new URLSearchParams(queryOf(req.url));
    const given = req.method === 'GET' || req.method === 'DELETE' ? null : await bodyWithin(req, res);
    for (const key of NAMING) {
      const text = given === null ? query.get(key) : given[key];
      if (typeof text !== 'string') continue;
      const { target, rest } = meant(text);
      if (given !== null) return relay(target, { ...given, [key]: rest }, req, res, next);
      query.set(key, rest);
      req.url = `${path}?${query.toString()}`;
      return target.plane.handler(req, res, next);
    }
    const hint = `name the vendor: ${CONTROL_PATH}/vendors/${names[0]}${path}`;
    throw new ControlRejection(404, 'unknown_route', `${req.method} ${CONTROL_PATH}${path} is of one pack; ${hint}`);
  };

  /** Passes the call with another body to the control API of a pack. */
  function relay(target: Target, body: JsonObject, ...[req, res, next]: Parameters<Plane['handler']>): unknown {
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) delete req.headers[name];
    req.body = Buffer.from(JSON.stringify(body));
    return target.plane.handler(req, res, next);
  }

  /** Passes an advance until an event to the pack of that event. */
  async function advance(...call: Parameters<Plane['handler']>): Promise<unknown> {
    // Reactions of applications span packs, so the clock waits for them at each delivery's time.
    const given: JsonObject = { pace: true, ...(await bodyWithin(call[0], call[1])) };
    const { until } = given;
    const event = isObject(until) ? until['event'] : until;
    if (typeof event !== 'string') return relay(lead, given, ...call);
    const { target, rest } = meant(event);
    return relay(target, { ...given, until: isObject(until) ? { ...until, event: rest } : rest }, ...call);
  }

  function list(res: Response): void {
    const shown = planes.map(({ name, context: { engine, pack } }) => [
      name,
      { url: engine.runtime.reader.baseUrl, pack: pack.name, version: pack.version, hosts: [...(pack.hosts ?? [])] },
    ]);
    res.json({ now: lead.context.engine.world.now, vendors: Object.fromEntries(shown) as JsonObject });
  }

  /** The responses of all packs to a call without a body, in the order of the packs; null: one of them sent an error. */
  async function fromAll(req: Request, res: Response): Promise<readonly (readonly [string, JsonObject])[] | null> {
    const all: (readonly [string, JsonObject])[] = [];
    for (const { name, plane } of planes) {
      const { authorization = '', host = '' } = req.headers;
      // A response to HEAD has no body to join; Node omits the body of the joined response.
      const method = req.method === 'HEAD' ? 'GET' : req.method;
      const asked = { method, url: req.url, headers: { authorization, host }, body: null };
      const response = await callWithin(plane.handler, plane.onError, { req, res }, asked);
      if (response === null) {
        res.destroy();
        return null;
      }
      const body = JSON.parse(response.body.toString()) as JsonObject;
      if (response.status >= 400) {
        res.status(response.status).json(body);
        return null;
      }
      all.push([name, body]);
    }
    return all;
  }

  /** Waits for the deliveries of all packs. */
  async function flush(req: Request, res: Response): Promise<void> {
    const all = await fromAll(req, res);
    if (all === null) return;
    const left = all.reduce((sum, [, { under_way: waiting }]) => sum + (Number(waiting) || 0), 0);
    res.json(left === 0 ? { flushed: true } : { flushed: false, under_way: left });
  }

  /** Joins the responses of all packs, and sends the result. */
  async function joinAll(joined: Joined, req: Request, res: Response): Promise<void> {
    const all = await fromAll(req, res);
    if (all !== null) res.json(joined(all));
  }

  /** Sends the differences between two moments in all packs, each object with its pack. */
  async function diff(req: Request, res: Response): Promise<void> {
    const [objects, entries]: [Json[], Json[]] = [[], []];
    let total = 0;
    let whole: JsonObject = {};
    const all = await fromAll(req, res);
    if (all === null) return;
    for (const [vendor, difference] of all) {
      whole = difference;
      const of = (key: string): Json[] => rowsOf(difference[key]).map((row) => ({ vendor, ...row }));
      objects.push(...of('objects'));
      entries.push(...of('entries'));
      total += Number(whole['objects_total']);
    }
    res.json({ ...whole, objects, objects_total: total, entries });
  }

  const handler: Plane['handler'] = (req, res, next) =>
    Promise.resolve(run(req, res, next)).catch((error: unknown) => lead.plane.onError(error, req, res, next));
  return { path: CONTROL_PATH, handler, onError: lead.plane.onError };
}

/** The response of each pack, with the pack's name. */
type OfPacks = readonly (readonly [string, JsonObject])[];
type Joined = (all: OfPacks) => JsonObject;

/** Functions that join the responses of all packs into one, by path. */
const JOINED: Readonly<Record<string, Joined | undefined>> = {
  '/coverage': coverageOf,
  '/unsupported': unsupportedOf,
  '/mailbox': mailboxOf,
};

/** Messages of all packs, newest first, each collection with its pack. */
function mailboxOf(all: OfPacks): JsonObject {
  const data = all.flatMap(([name, { data: mails }]) =>
    rowsOf(mails).map((mail): JsonObject => {
      const { collection, reply = null } = mail;
      const replied = isObject(reply) ? { ...reply, cause: `${name}/${String(reply['cause'])}` } : null;
      return { ...mail, collection: `${name}/${String(collection)}`, reply: replied };
    }),
  );
  const writes = all.flatMap(([name, { writes: causes }]) =>
    (Array.isArray(causes) ? causes : []).map((cause) => `${name}/${String(cause)}`),
  );
  const total = all.reduce((sum, [, { total: own }]) => sum + Number(own), 0);
  return { data: data.sort((a, b) => readInstant(b['at']) - readInstant(a['at'])), total, writes };
}

/** Coverage of all packs, each name with its pack. */
function coverageOf(all: OfPacks): JsonObject {
  const kinds: Record<string, { total: number; met: string[]; missing: string[] }> = {};
  for (const [name, used] of all)
    for (const [kind, { total, met, missing }] of Object.entries(used as unknown as typeof kinds)) {
      const sum = (kinds[kind] ??= { total: 0, met: [], missing: [] });
      sum.total += total;
      sum.met.push(...met.map((each) => `${name}/${each}`));
      sum.missing.push(...missing.map((each) => `${name}/${each}`));
    }
  return kinds;
}

/** Requests that aren't emulated in all packs, each operation with its pack, the most frequent first. */
function unsupportedOf(all: OfPacks): JsonObject {
  const data = all.flatMap(([name, { data: uses }]) =>
    rowsOf(uses).map((use) => {
      const { operation = null } = use;
      return { ...use, operation: typeof operation === 'string' ? `${name}/${operation}` : null };
    }),
  );
  return { data: data.sort((a, b) => Number((b as JsonObject)['count']) - Number((a as JsonObject)['count'])) };
}

/** Whether a pack has a collection, cause, operation or event with a name. */
function hasName({ engine: { model, pack } }: ControlContext, name: string): boolean {
  return model.byCollection.has(name) || pack.causes.has(name) || allEventTypes(pack).includes(name);
}

function rowsOf(rows: Json | undefined): JsonObject[] {
  return Array.isArray(rows) ? rows.filter(isObject) : [];
}
