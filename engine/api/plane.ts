import type { ControlCode } from '../codes.js';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { busyWith } from '../runtime/activity.js';
import { type JsonObject } from '../values/index.js';
import { withOrigin } from '../expression/index.js';
import { type RequestInfo } from '../model/index.js';
import type { Operation, Scenario, Stream, Version } from '../program/index.js';
import { type Answer, argsOf, type Engine, NO_EFFECTS, type Said, type Why } from '../runtime/index.js';
import { didYouMean } from '../pack/index.js';
import type { Fault, IdempotencyRecord, Trace, TraceOutcome, Transaction } from '../world/index.js';
import { type Exchanges, type Guard, pathOf, queryOf } from '../http/index.js';
import { HeaderWriter, VERSION_HEADER } from './headers.js';
import { IdempotencyKeys } from './idempotency.js';
import { type FoundKey, Keys, anonymousKey } from './keys.js';
import { type Metered, RateLimits } from './rate-limits.js';
import { PendingFaults } from './faults.js';
import { sendAltered } from './spoil.js';
import { type ChosenTenant, chooseTenant, NO_TENANT } from './tenants.js';
import { inDeclaredCase, listAsMap, readInput, type Input } from './input.js';

/** A call of the vendor API on its way through. */
interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly operation: Operation | null;
  /** Values of the names in the route. */
  readonly path: Readonly<Record<string, string>>;
  readonly started: number;
  readonly traceId: string;
  request: RequestInfo;
  /** The world's own key came with it, which no browser should hold. */
  secret: boolean;
  outcome: TraceOutcome;
  fault: Fault | null;
  /** The limits that count it; null: none. */
  metered: Metered | null;
  /** Writes that the fault has fired once more, and counts the call; null: done, or nothing to do. */
  spend: ((transaction: Transaction) => void) | null;
  scenario: Scenario | null;
  /** The version that answers; undefined: the account's, or the pack has no list of them. */
  version: Version | undefined;
  /** It was asked for under the name of another one. */
  near: boolean;
  /** What it brings, once its key was checked. */
  sent: Input | null;
  replayed: boolean;
  /** Id of the request that the idempotency key was first used with. */
  original: string | null;
  /** The tenant that it is about. */
  chosen: ChosenTenant;
}

/** The vendor API: every call is authenticated, resolved (fault, scenario, magic value, normal), answered and traced. */
export class VendorPlane {
  /** Finds the keys of calls. */
  readonly keys: Keys;
  readonly #keys: IdempotencyKeys;
  readonly #faults: PendingFaults;
  readonly #headers: HeaderWriter;
  /** Null: the pack has none. */
  readonly #limits: RateLimits | null;

  constructor(
    private readonly engine: Engine,
    guard: Guard,
    /** Advances the clock, firing what is due. */
    private readonly advance: (toMs: number, why: Why, of: string | null) => Promise<unknown>,
    private readonly exchanges: Exchanges,
  ) {
    this.keys = new Keys(engine, guard);
    this.#keys = new IdempotencyKeys(engine);
    this.#faults = new PendingFaults(engine.world);
    this.#headers = new HeaderWriter(engine.pack);
    this.#limits = engine.pack.rateLimits.length === 0 ? null : new RateLimits(engine);
  }

  /**
   * Answers a call of an operation.
   * @param key what was found of the key that its headers bring
   */
  async handle(
    operation: Operation,
    path: Readonly<Record<string, string>>,
    key: FoundKey,
    req: Request,
    res: Response,
  ): Promise<void> {
    if (this.engine.seeding !== null) await this.engine.seeding;
    const visit = this.#begin(req, res, operation, path);
    const read = this.#input(visit);
    const sent = read instanceof Promise ? await read : read;
    const input = this.#authenticate(visit, sent, key);
    if (input === null) return;
    visit.sent = input;
    const given = (): JsonObject => (input.ok ? { ...input.given, ...path } : {});
    visit.metered = this.#limits?.meter(operation, visit.request, given) ?? null;
    busyWith(req.method, visit.request.path);
    const met = this.#faults.find(operation, given);
    if (!met) return this.#resolve(visit, input);
    visit.spend = this.#faults.countCall(met);
    try {
      await (met.fault ? this.#fault(visit, met.fault, input) : this.#resolve(visit, input));
    } finally {
      this.#commitPending(visit);
    }
  }

  /** Answers a call that reached no operation, or could not be read. */
  reject(req: Request, res: Response, error: string, args: JsonObject): void {
    const visit = this.#begin(req, res, null, NO_NAMES);
    if (!this.#isAdmitted(visit)) return;
    // What failed outside of an operation has a request too.
    const known = error === 'internal_error' ? { ...args, request_id: visit.request.id } : args;
    this.#respond(visit, this.engine.error(error, known, visit.request));
  }

  /** Whether a key may come with a call; else the call is answered. */
  admits(req: Request, res: Response): boolean {
    return this.#isAdmitted(this.#begin(req, res, null, NO_NAMES));
  }

  /**
   * Answers a browser that asks whether a page of another origin may call an operation. No key comes with this question:
   * it may, where a key for browsers opens the operation.
   */
  preflight(operation: Operation, req: Request, res: Response): void {
    const visit = this.#begin(req, res, operation, NO_NAMES);
    const asked = req.headers['access-control-request-headers'];
    const headers = {
      'Access-Control-Allow-Methods': String(req.headers['access-control-request-method']),
      'Access-Control-Allow-Headers': typeof asked === 'string' ? asked : '*',
      'Access-Control-Max-Age': '300',
    };
    this.#respond(visit, { ...EMPTY, headers });
  }

  /** Whether pages of other origins may call an operation. */
  isForBrowsers(operation: Operation | null): boolean {
    const { browserKeys } = this.engine.model.settings.auth;
    return operation !== null && [...operation.keys].some((name) => browserKeys.has(name));
  }

  #begin(req: Request, res: Response, operation: Operation | null, path: Readonly<Record<string, string>>): Visit {
    const { world, model } = this.engine;
    const { settings } = model;
    const id = settings.requestId.ids.make(world.requestStream);
    const key = settings.idempotency === null ? undefined : req.headers[settings.idempotency.header];
    const request: RequestInfo = {
      id,
      idempotency_key:
        typeof key === 'string' && key !== '' && settings.idempotency?.methods.has(req.method) ? key : null,
      method: req.method,
      path: pathOf(req.url),
      version: settings.versions?.current ?? null,
      key: null,
      token: null,
      headers: this.#readHeaders(req.headers),
    };
    const traceId = `trc_${world.requestStream.text(20)}`;
    return {
      req,
      res,
      operation,
      path,
      started: performance.now(),
      traceId,
      request,
      secret: false,
      outcome: 'normal',
      fault: null,
      metered: null,
      spend: null,
      scenario: null,
      version: undefined,
      near: false,
      sent: null,
      replayed: false,
      original: null,
      chosen: NO_TENANT,
    };
  }

  /** Whether the key of a call of no operation opens it; else the call is answered. */
  #isAdmitted(visit: Visit): boolean {
    return this.#authenticate(visit, NOTHING, this.keys.ofHeaders(visit.req.headers)) !== null;
  }

  /**
   * Looks whether a call's key opens it.
   * @param key what was found of the key that its headers bring
   * @returns what the call brings without the key, or null when it was rejected and answered
   */
  #authenticate(visit: Visit, input: Input, key: FoundKey): Input | null {
    const carried = key.ok || visit.req.headers.authorization !== undefined ? null : this.keys.ofParameters(input);
    const found = carried?.found ?? key;
    const { operation } = visit;
    if (!found.ok && operation?.open !== true) {
      const { given } = found;
      if (given === null) return this.#reject(visit, 'api_key_missing', {});
      return this.#reject(visit, found.expired === true ? 'token_expired' : 'api_key_invalid', { key: given });
    }
    const name = found.ok ? found.key : anonymousKey;
    visit.secret = name === null;
    if (name !== null) visit.request = { ...visit.request, key: name, token: found.token?.id ?? null };
    if (found.ok && found.token !== null && operation !== null) {
      const scopes = this.keys.lacking(operation, found.token);
      if (scopes.length > 0) return this.#reject(visit, 'scope_missing', { scopes, key: found.given });
    } else if (found.ok && name !== null && operation?.open === false && !operation.keys.has(name))
      return this.#reject(visit, 'key_not_allowed', { key: found.given });
    const { tenants } = this.engine.pack;
    if (tenants !== null) {
      const { headers } = visit.req;
      const chosen = chooseTenant(this.engine, tenants, { headers, operation, path: visit.path, owner: found.tenant });
      if ('unknown' in chosen)
        return this.#reject(visit, 'tenant_unknown', { tenant: chosen.unknown, key: found.given });
      visit.chosen = chosen;
    }
    return carried === null ? input : carried.rest;
  }

  #reject(visit: Visit, error: string, args: JsonObject): null {
    this.#respond(visit, this.engine.error(error, args, visit.request));
    return null;
  }

  /** The headers that the pack reads, by the names it gives them. */
  #readHeaders(headers: Request['headers']): RequestInfo['headers'] {
    const { requestHeaders } = this.engine.model.settings;
    if (requestHeaders.size === 0) return NO_NAMES;
    const read: Record<string, string> = {};
    for (const [name, header] of requestHeaders) {
      const value = headers[header];
      if (value !== undefined) read[name] = typeof value === 'string' ? value : value.join(', ');
    }
    return read;
  }

  #input(visit: Visit): Input | Promise<Input> {
    const { url, headers } = visit.req;
    const body: unknown = visit.req.body;
    return readInput(
      this.engine.model,
      queryOf(url),
      headers['content-type'],
      Buffer.isBuffer(body) ? body : undefined,
      visit.operation?.resource.file.requests,
    );
  }

  async #fault(visit: Visit, fault: Fault, input: Input): Promise<void> {
    visit.fault = fault;
    visit.outcome = 'fault';
    // A delayed call holds its idempotency key while it waits.
    if (fault.delayMs > 0 && (fault.kind === 'error' || fault.kind === 'reset')) await wait(fault.delayMs);
    await this.#applyFault(visit, fault, input);
  }

  async #applyFault(visit: Visit, fault: Fault, input: Input): Promise<void> {
    switch (fault.kind) {
      case 'delay':
      case 'response':
        return this.#resolve(visit, input);
      case 'reset':
        this.#commitPending(visit);
        this.#trace(visit, { ...this.engine.error('internal_error', {}, visit.request), status: 0 });
        visit.req.socket.destroy();
        return;
      case 'lost_response':
        return this.#resolve(visit, input, true);
      case 'error': {
        const { code, type, message } = fault.error;
        const args = {
          status: fault.status,
          code: code ?? null,
          type: type ?? null,
          message: message ?? null,
          error: fault.error,
        };
        return this.#respond(visit, this.engine.error('fault', args, visit.request));
      }
    }
  }

  /** Writes that a fault has fired, and counts a call that left nothing else. */
  #commitPending(visit: Visit): void {
    const { spend, fault, operation, request, traceId, scenario, sent, chosen } = visit;
    if (spend === null) return;
    visit.spend = null;
    const { world, model } = this.engine;
    spend(world.begin());
    const { given, text, expand } = sent?.ok ? sent : NOTHING;
    const called = { request, given, text, expand, scenario: scenario?.name ?? null, tenant: chosen.named };
    const args = {
      fault: fault?.id ?? null,
      operation: operation?.key ?? null,
      ...argsOf(called, model.settings.versions?.current ?? null),
    };
    world.commit({
      command: fault === null ? 'rate_limit' : 'fault',
      origin: 'call',
      request: request.id,
      trace: traceId,
      args,
    });
  }

  async #resolve(visit: Visit, input: Input, lose = false): Promise<void> {
    const { req, operation } = visit;
    const name = req.headers['x-mock-scenario'];
    if (typeof name === 'string' && name !== '') {
      const scenario = this.engine.pack.scenarios().get(name);
      if (!scenario) return this.#unknownScenario(visit, name);
      if (operation !== null && scenario.operations?.has(operation.key) === false)
        return this.#strayScenario(visit, scenario);
      visit.scenario = scenario;
      if (visit.fault === null) visit.outcome = 'scenario';
    }
    const refused = this.#version(visit);
    if (refused) return this.#respond(visit, refused, lose);
    if (operation !== null && this.#lacks(visit, operation)) {
      const args = { method: req.method, path: visit.request.path };
      return this.#respond(visit, this.engine.error('unknown_route', args, visit.request), lose);
    }
    const given = visit.request.idempotency_key;
    if (given === null || operation === null) return this.#run(visit, input, lose);
    const key = scopedKey(given, visit.chosen.tenant);
    visit.original = visit.request.id;
    const { idempotency } = this.engine.model.settings;
    if (idempotency && given.length > idempotency.maxLength) {
      return this.#respond(
        visit,
        this.engine.error('idempotency_key_too_long', { limit: idempotency.maxLength }, visit.request),
        lose,
      );
    }
    const route = `${req.method} ${visit.request.path}`;
    const fingerprint = IdempotencyKeys.fingerprint(input);
    const verdict = this.#keys.check(key, route, fingerprint);
    if (verdict.kind === 'refuse') {
      const [method, path] = (verdict.first ?? route).split(' ');
      const args = { key: given, method, path };
      return this.#respond(visit, this.engine.error(verdict.error, args, visit.request), lose);
    }
    if (verdict.kind === 'replay') {
      visit.replayed = true;
      visit.original = verdict.record.request;
      const { status, body: text } = verdict.record;
      const { content } = operation;
      const headers: Answer['headers'] = content === null || status >= 400 ? {} : { 'Content-Type': content.type };
      return this.#respond(
        visit,
        { ...EMPTY, status, body: text, headers, binary: status < 400 && content?.binary === true },
        lose,
      );
    }
    this.#keys.begin(key);
    try {
      await this.#run(visit, input, lose, ({ executed, error, status, body }) =>
        !executed || (idempotency?.keep === 'successes' && error !== null)
          ? null
          : { request: visit.request.id, fingerprint, route, status, body: body ?? '', at: this.engine.world.nowMs },
      );
    } finally {
      this.#keys.end(key);
    }
  }

  /**
   * Runs the operation. What its idempotency key and its fault leave is part of its own entry, so that no crash can fall
   * between. Where the operation advances the clock, the key is kept with what the operation answered before; the response that
   * goes out replaces it in a later entry of the same request.
   * @param recordOf what is kept of a response; null: nothing
   */
  async #run(
    visit: Visit,
    input: Input,
    lose: boolean,
    recordOf?: (said: Said) => IdempotencyRecord | null,
  ): Promise<void> {
    const { operation, scenario, request, traceId, chosen } = visit;
    const key = request.idempotency_key === null ? null : scopedKey(request.idempotency_key, chosen.tenant);
    if (operation === null) return;
    const delayMs = (visit.fault?.delayMs ?? 0) + (scenario?.delayMs ?? 0);
    if (delayMs > 0) await wait(delayMs);
    const refused = this.#meter(visit);
    if (refused !== null) return this.#respond(visit, refused, lose);
    if (!input.ok) return this.#respond(visit, this.engine.error(input.error, input.args, request), lose);
    const { text, expand } = input;
    const given = this.engine.model.settings.ignoreCase
      ? inDeclaredCase(input.given, operation.params.keys())
      : input.given;
    const answer = this.engine.call({
      operation,
      request,
      path: visit.path,
      given,
      text,
      listAsMap,
      expand,
      scenario,
      version: visit.version,
      tenant: chosen.tenant,
      named: chosen.named,
      trace: traceId,
      conclude:
        visit.spend === null && recordOf === undefined
          ? undefined
          : (transaction, said) => {
              visit.spend?.(transaction);
              visit.spend = null;
              const record = recordOf?.(said);
              if (record && key !== null) this.#keys.write(transaction, key, record);
            },
    });
    if (answer.magicValues.length > 0 && visit.outcome === 'normal') visit.outcome = 'magic_value';
    if (answer.advance === null) return this.#respond(visit, answer, lose);
    const { epoch } = this.engine.world;
    await this.advance(
      answer.advance.to,
      { request: request.id, trace: traceId, args: { operation: operation.key } },
      answer.advance.of,
    );
    const final = { ...answer, body: answer.advance.body() };
    const record = recordOf?.(final);
    if (record && key !== null && epoch === this.engine.world.epoch) this.#keys.keep(key, record, { trace: traceId });
    this.#respond(visit, final, lose);
  }

  /** Counts the call with what it leaves; gives the rejection of one for which a limit has none left. */
  #meter(visit: Visit): Answer | null {
    const { metered, request, spend } = visit;
    const limits = this.#limits;
    if (metered === null || limits === null) return null;
    const refusal = limits.rejectionOf(metered);
    if (refusal !== null) return this.engine.error(refusal.error, refusal.args, request);
    visit.spend = (transaction) => {
      spend?.(transaction);
      limits.count(metered, transaction);
    };
    return null;
  }

  /** Reads the version header; gives the rejection of a bad one. */
  #version(visit: Visit): Answer | undefined {
    const { versions } = this.engine.model.settings;
    if (versions === null) return undefined;
    for (const header of versions.headers) {
      const given = visit.req.headers[header];
      if (typeof given !== 'string') continue;
      const { pack } = this.engine;
      const isWellFormed = versions.pattern.test(given);
      const found = isWellFormed ? pack.versions?.find(given, this.engine.lenientVersions) : undefined;
      if (!isWellFormed || (pack.versions !== null && found === undefined))
        return this.engine.error('version_invalid', { version: given }, visit.request);
      visit.request = { ...visit.request, version: given };
      if (found === undefined) return undefined;
      visit.version = found.version;
      visit.near = found.near;
      if (found.near) this.engine.reportNearVersion(given, found.version.name);
      return undefined;
    }
    return undefined;
  }

  /** Whether the version of a call has not got the operation. */
  #lacks(visit: Visit, { key }: Operation): boolean {
    const { versions } = this.engine.pack;
    return versions !== null && (visit.version ?? versions.current).lacks.has(key);
  }

  /** A scenario's name is the test's own mistake, so it gets the control API's envelope. */
  #unknownScenario(visit: Visit, name: string): void {
    const near = this.engine.model.env.suggest(name, this.engine.pack.scenarios().keys());
    this.#badScenario(visit, 'unknown_scenario', `There is no scenario '${name}'${didYouMean(near)}`);
  }

  /** A scenario that means nothing to the call would pass unnoticed. */
  #strayScenario(visit: Visit, { name, operations }: Scenario): void {
    const fitting = [...(operations ?? [])].join(', ');
    this.#badScenario(visit, 'scenario_not_here', `The scenario '${name}' is for other calls: ${fitting}.`);
  }

  #badScenario(visit: Visit, code: ControlCode, message: string): void {
    const body = JSON.stringify({ error: { code, message } });
    this.#respond(visit, { ...EMPTY, status: 400, error: code, body });
  }

  #respond(visit: Visit, told: Answer, lose = false): void {
    this.#commitPending(visit);
    const { etag } = this.engine.model.settings;
    const tag = etag !== null && visit.req.method === 'GET' && told.status === 200 ? this.#tagOf(told, etag) : null;
    const isKnown = tag !== null && knows(visit.req.headers['if-none-match'], tag);
    const answer = isKnown ? { ...told, status: 304, body: undefined } : told;
    const { fault } = visit;
    const status = fault?.kind === 'response' ? (fault.status ?? answer.status) : answer.status;
    this.#trace(visit, status === answer.status ? answer : { ...answer, status });
    if (lose) {
      visit.req.socket.destroy();
      return;
    }
    const { metered } = visit;
    const more =
      metered === null || this.#limits === null
        ? answer.headers
        : { ...this.#limits.headers(metered, visit.request), ...answer.headers };
    const headers = this.#headers.of(this.engine.runtime, visit.request, visit.traceId, more);
    const { idempotency } = this.engine.model.settings;
    if (idempotency !== null && visit.original !== null) {
      if (visit.replayed && idempotency.replayedHeader) headers.push(idempotency.replayedHeader, 'true');
      if (idempotency.originalHeader) headers.push(idempotency.originalHeader, visit.original);
    }
    if (visit.request.idempotency_key !== null && idempotency?.echoHeader)
      headers.push(idempotency.echoHeader, visit.request.idempotency_key);
    if (visit.chosen.tenant !== null && this.engine.pack.tenants?.echo != null)
      headers.push(this.engine.pack.tenants.echo, visit.chosen.tenant);
    if (visit.near && visit.version) headers.push(VERSION_HEADER, visit.version.name);
    if (tag !== null) headers.push('ETag', tag);
    if (visit.req.headers.origin !== undefined && !visit.secret && this.isForBrowsers(visit.operation))
      headers.push('Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', '*');
    const text = answer.body === undefined ? '' : withOrigin(answer.body, this.engine.runtime.origin);
    this.exchanges.add(visit.traceId, {
      url: visit.req.originalUrl,
      headers: visit.req.rawHeaders,
      body: Buffer.isBuffer(visit.req.body) ? visit.req.body : null,
      answerHeaders: headers,
      answer: text,
    });
    const stream = visit.operation?.stream ?? null;
    const streams = answer.streams === true || (visit.replayed && text.startsWith('data: ') && stream !== null);
    if (stream !== null && streams && fault?.answer?.truncateAt === undefined && fault?.answer?.dripMs === undefined) {
      if (visit.replayed) headers.push('Cache-Control', 'no-cache');
      this.#stream(visit, stream, status, headers, text, answer.self ?? null);
      return;
    }
    if (fault?.answer !== undefined) {
      sendAltered(visit.res, status, headers, text, fault.answer);
      return;
    }
    if (BODYLESS.has(status)) {
      visit.res.writeHead(status, withoutHeader(headers, 'Content-Type'));
      visit.res.end();
      return;
    }
    const body = answer.binary === true ? Buffer.from(text, 'base64') : text;
    // With its length: text goes out in one piece with the headers.
    const length = Buffer.byteLength(body);
    headers.push('Content-Length', String(length));
    visit.res.writeHead(status, headers);
    // As many bytes as characters: all of it is ASCII, which needs no encoding.
    if (typeof body === 'string' && length === body.length) visit.res.end(body, 'latin1');
    else visit.res.end(body);
  }

  /** Sends events one after another. What they say was decided by the call's commit; only the pauses are of real time. */
  #stream(visit: Visit, stream: Stream, status: number, headers: string[], text: string, self: string | null): void {
    const { res, fault, operation } = visit;
    const frames = text.split(/(?<=\n\n)/);
    const { afterEvents, errorEvent } = fault?.answer ?? {};
    const all = afterEvents === undefined ? frames : frames.slice(0, afterEvents);
    if (errorEvent !== undefined) {
      const said = stream.broken()(this.engine.runtime, errorEvent);
      all.push(`data: ${JSON.stringify(said)}\n\n`);
    }
    let sent = 0;
    res.writeHead(status, headers);
    const end = (): void => {
      if (afterEvents === undefined || errorEvent !== undefined) res.end();
      else res.write('', () => res.socket?.destroySoon());
    };
    const next = (): void => {
      if (res.destroyed) return;
      if (sent === all.length) return end();
      res.write(all[sent++]);
      if (stream.everyMs === 0) next();
      else setTimeout(next, stream.everyMs);
    };
    const { closed } = stream;
    res.once('close', () => {
      if (closed === null || operation === null || sent >= all.length) return;
      const command = `stream closed ${operation.key}`;
      this.engine.command(
        command,
        'outside',
        (x) => {
          const row = self === null ? null : (x.row(operation.resource.index, self) ?? null);
          closed(x, row, sent);
        },
        { object: self, sent },
      );
    });
    next();
  }

  /** The ETag of a response: the same for the same body. */
  #tagOf({ body = '' }: Answer, kind: 'strong' | 'weak'): string {
    const digest = createHash('sha1').update(body).digest('base64url');
    return `${kind === 'weak' ? 'W/' : ''}"${digest}"`;
  }

  #trace(visit: Visit, answer: Answer): void {
    const { req, operation, request } = visit;
    const trace: Trace = {
      id: visit.traceId,
      operation: operation?.key ?? `${req.method} ${request.path}`,
      outcome: visit.outcome,
      subjects: answer.subjects,
      decided: answer.decided,
      request: {
        id: request.id ?? '',
        method: req.method,
        path: request.path,
        idempotency_key: request.idempotency_key,
      },
      status: answer.status,
      error: answer.error,
      fault: visit.fault?.id ?? null,
      scenario: visit.scenario?.name ?? null,
      magic_values: answer.magicValues,
      stood_back: answer.stoodBack,
      replayed: visit.replayed,
      transitions: answer.transitions,
      events: answer.events.map((row) => ({ id: row.id, type: String(row.value['type'] ?? '') })),
      at: this.engine.world.now,
      entry: this.engine.world.ledger.count,
      duration_ms: Math.round((performance.now() - visit.started) * 1000) / 1000,
      ...(visit.near && visit.version ? { version: { asked: request.version, answered: visit.version.name } } : {}),
    };
    const { world } = this.engine;
    world.traces.add(trace);
    world.traces.onCall?.(trace);
    world.record({ kind: 'trace', trace, requests: world.requestStream.position });
  }
}

/** An idempotency key among those of all tenants. No header holds the character between. */
function scopedKey(key: string, tenant: string | null): string {
  return tenant === null ? key : `${tenant}\u001f${key}`;
}

const NO_NAMES = {};

/** Statuses whose responses have no body (RFC 9110, 15). */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Whether a caller knows a body already: `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
function knows(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  const plain = (text: string): string => text.trim().replace(/^W\//, '');
  return given.split(',').some((each) => each.trim() === '*' || plain(each) === plain(tag));
}

/** Names and values in turn, without those of one name. */
function withoutHeader(headers: readonly string[], name: string): string[] {
  return headers.filter((_, at) => headers[at - (at % 2)] !== name);
}

/** What a call brings that is rejected before anybody reads it. */
const NOTHING: Extract<Input, { ok: true }> = { ok: true, given: {}, text: true, expand: [] };

const EMPTY: Answer = {
  status: 200,
  body: undefined,
  headers: {},
  error: null,
  executed: false,
  advance: null,
  ...NO_EFFECTS,
};
