import type { Request, Response } from 'express';
import { busyWith } from '../runtime/activity.js';
import {
  byteCount,
  bytesOfText,
  isStored,
  type JsonObject,
  slicesOf,
  partsOfText,
  type SentPart,
} from '../values/index.js';
import { valueWithOrigin, withOrigin } from '../expression/index.js';
import type { Operation } from '../program/index.js';
import { type OperationResponse, type Engine, EVENT_STREAM, sweepBytes } from '../runtime/index.js';
import type { FaultResponse, Trace, UnsupportedUse } from '../world/index.js';
import { type Exchanges, type Guard, queryOf, valuesOf } from '../http/index.js';
import {
  type HeaderList,
  HeaderWriter,
  UNSUPPORTED_HEADER,
  unsupportedText,
  type BodyWriter,
  bodyWriter,
  sendWhole,
  sendAltered,
  partsLength,
  sendParts,
} from './send.js';
import { type Input, readInput } from './input.js';
import { Keys, admit, authenticate, FOR_BROWSERS, isForBrowsers } from './stages/authenticate.js';
import type { OpenResponses } from './open-responses.js';
import { RateLimits } from './rate-limits.js';
import { ReadForm } from './multipart.js';
import { heldBy, releaseHeld } from './upload.js';
import { VisitMaker } from './visit-maker.js';
import { Upload } from './whole-body.js';
import { etag } from './stages/etag.js';
import { commitPending, delay, execute } from './stages/execute.js';
import { fault, scenario } from './stages/forced.js';
import { idempotency } from './stages/idempotency.js';
import { limit, meter } from './stages/meter.js';
import { outsideAtTimes, unsupportedHeaders, version } from './stages/offered.js';
import { range } from './stages/range.js';
import {
  type AdvanceClock,
  EMPTY,
  type FoundKey,
  type Next,
  NO_NAMES,
  noteUnsupported,
  type OperationVisit,
  type Stage,
  type Visit,
} from './visit.js';

/** A call whose body couldn't be read, with its error. */
interface UnreadCall {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly key: FoundKey;
  readonly error: string;
  readonly args: JsonObject;
}

/** The vendor API: every call passes the stages in order, gets its response, and is traced. */
export class VendorPlane {
  /** Resolves the keys of calls. */
  readonly keys: Keys;
  readonly #headers: HeaderWriter;
  readonly #visits: VisitMaker;
  /** Serialises response bodies that have the pack's usual content type. */
  readonly #written: BodyWriter;
  /** Serves a call through all stages of the vendor API, in order. */
  readonly #resolve: Next;

  constructor(
    private readonly engine: Engine,
    guard: Guard,
    advance: AdvanceClock,
    private readonly exchanges: Exchanges,
    private readonly open: OpenResponses,
  ) {
    this.keys = new Keys(engine, guard);
    this.#visits = new VisitMaker(engine, this.keys);
    this.#headers = new HeaderWriter(engine.pack);
    this.#written = bodyWriter(engine.model);
    const limits = engine.pack.rateLimits.length === 0 ? null : new RateLimits(engine);
    // A stage is null if the pack doesn't use it.
    const stages: readonly (Stage | null)[] = [
      authenticate(engine, this.keys),
      outsideAtTimes(engine),
      meter(engine, limits),
      fault(engine),
      range(engine),
      etag(engine),
      scenario(engine),
      version(engine),
      unsupportedHeaders(engine),
      idempotency(engine),
      delay(engine),
      limit(engine, limits),
    ];
    this.#resolve = stages.reduceRight<Next>(
      (next, stage) => (stage === null ? next : (visit) => stage(visit, next)),
      execute(engine, advance, open.waiting, limits),
    );
  }

  /**
   * Serves a call of an operation.
   * @param key result of looking up the key in the request's headers
   * @returns undefined if the response was sent synchronously; otherwise resolves once it is sent
   */
  handle(
    operation: Operation,
    path: Readonly<Record<string, string>>,
    key: FoundKey,
    req: Request,
    res: Response,
  ): Promise<void> | undefined {
    const { seeding } = this.engine;
    if (seeding !== null) return seeding.then(() => this.handle(operation, path, key, req, res));
    const visit = this.#visits.begin(req, res, operation, path, key);
    const input = this.#input(visit);
    return input instanceof Promise ? input.then((each) => this.#serve(visit, each)) : this.#serve(visit, input);
  }

  #serve(visit: OperationVisit, input: Input): Promise<void> | undefined {
    visit.input = input;
    if (input.ok) this.#visits.readParams(visit, input.given);
    busyWith(visit.req.method, visit.request.path);
    let isOver = true;
    try {
      const response = this.#resolve(visit);
      if ('then' in response) {
        isOver = false;
        return this.#sendLater(visit, response);
      }
      this.#send(visit, response);
    } finally {
      if (isOver) commitPending(this.engine, visit);
    }
    return undefined;
  }

  async #sendLater(visit: OperationVisit, response: Promise<OperationResponse>): Promise<void> {
    try {
      this.#send(visit, await response);
    } finally {
      commitPending(this.engine, visit);
    }
  }

  /**
   * Responds to a request that matches no operation or can't be parsed.
   * @param use the vendor's documented feature that isn't emulated; null: none
   */
  reject(req: Request, res: Response, error: string, args: JsonObject, use: UnsupportedUse | null = null): void {
    const visit = this.#visits.begin(req, res, null, NO_NAMES);
    if (use !== null) noteUnsupported(visit, use.kind, use.name);
    this.#visits.readParams(visit);
    const isOpen = this.engine.model.errors.get(error)?.open === true;
    const rejection = isOpen ? null : admit(this.engine, this.keys, visit);
    // The error arguments of calls that match no operation include the request id too.
    const known = error === 'internal_error' ? { ...args, request_id: visit.request.id } : args;
    this.#send(visit, rejection ?? this.engine.error(error, known, visit.request));
  }

  /**
   * Responds to a call whose body couldn't be read. Its key isn't checked, since the unread body may contain it; calls that
   * lack a key in the headers were rejected before.
   */
  rejectUnread({ operation, path, key, error, args }: UnreadCall, req: Request, res: Response): void {
    const visit = this.#visits.begin(req, res, operation, path, key);
    this.#send(visit, this.engine.error(error, args, visit.request));
  }

  /** Returns whether the call has a valid key; otherwise sends the error response. */
  admits(req: Request, res: Response): boolean {
    const visit = this.#visits.begin(req, res, null, NO_NAMES);
    const rejection = admit(this.engine, this.keys, visit);
    if (rejection !== null) this.#send(visit, rejection);
    return rejection === null;
  }

  /**
   * Responds to a browser's CORS preflight for an operation. It has no key: pages of other origins may call operations that a
   * publishable key admits.
   */
  preflight(operation: Operation, req: Request, res: Response): void {
    const visit = this.#visits.begin(req, res, operation, NO_NAMES);
    const asked = req.headers['access-control-request-headers'];
    const headers = {
      'Access-Control-Allow-Methods': String(req.headers['access-control-request-method']),
      'Access-Control-Allow-Headers': typeof asked === 'string' ? asked : '*',
      'Access-Control-Max-Age': '300',
    };
    visit.headers.push(...FOR_BROWSERS);
    this.#send(visit, { ...EMPTY, headers });
  }

  /** Whether pages of other origins may call an operation. */
  isForBrowsers(operation: Operation): boolean {
    return isForBrowsers(this.engine, operation);
  }

  #input({ req, operation }: OperationVisit): Input | Promise<Input> {
    const body: unknown = req.body;
    const store = this.engine.runtime.surroundings.files;
    return readInput(
      this.engine.model,
      queryOf(req.url),
      req.headers['content-type'],
      Buffer.isBuffer(body) || body instanceof Upload || body instanceof ReadForm ? body : undefined,
      {
        requests: operation.resource.file.requests,
        whole: operation.whole,
        store,
        held: () => heldBy(req),
        params: operation.params,
        values: valuesOf(req),
      },
    );
  }

  #send(visit: Visit, response: OperationResponse): void {
    if (visit.isDropped) visit.writes.splice(0);
    else commitPending(this.engine, visit);
    if (this.engine.runtime.surroundings.files?.total !== 0) this.#releaseFiles(visit);
    if (visit.isDropped) {
      visit.req.socket.destroy();
      return;
    }
    const unsupported = unsupportedBy(visit, response);
    if (unsupported.length > 0) this.#report(visit, unsupported);
    this.#trace(visit, response, unsupported);
    const { req, res, fault, operation } = visit;
    if (fault?.kind === 'reset' || fault?.kind === 'lost_response') {
      req.socket.destroy();
      return;
    }
    const { status } = response;
    const headers = this.#headers.of(this.engine.runtime.reader, visit.request, visit.traceId, response.headers);
    headers.push(...visit.headers);
    const written = isUsual(response) ? this.#written(response.body) : response.body;
    const text = written === undefined ? '' : withOrigin(written, this.engine.runtime.reader.baseUrl);
    const stored = this.#partsOf(response, text);
    const textBytes = stored === null ? Buffer.byteLength(text) : partsLength(stored);
    this.exchanges.add(visit.traceId, {
      url: req.originalUrl,
      headers: req.rawHeaders,
      body: Buffer.isBuffer(req.body) ? req.body : null,
      responseHeaders: headers,
      response: text,
      responseBytes: textBytes,
    });
    const altered = fault?.answer && valueWithOrigin(fault.answer, this.engine.runtime.reader.baseUrl);
    const stream = response.content?.type === EVENT_STREAM.type ? operation?.stream : null;
    if (operation != null && stream != null && isWhole(altered)) {
      const { replayed } = visit;
      const { self = null, follow = null, everyMs = 0 } = response;
      const given = req.headers['last-event-id'];
      const after = typeof given === 'string' ? given : null;
      const sent = { operation, stream, status, headers, text, everyMs, follow, after, self, replayed };
      this.open.streams.open({ res, fault: altered, ...sent });
    } else if (altered !== undefined) sendAltered(res, status, headers, text, altered);
    else if (stored !== null) this.#sendStored(visit, status, headers, stored);
    else if (response.content?.binary === true) {
      const bytes = Buffer.from(text, 'base64');
      sendWhole(res, status, headers, bytes, bytes.length);
    } else sendWhole(res, status, headers, text, textBytes);
  }

  /** Returns the parts of a response that contains stored bytes or is a slice of them; null if the response is one text. */
  #partsOf({ slices, content }: OperationResponse, text: string): readonly SentPart[] | null {
    if (slices !== undefined) return slices;
    const { files } = this.engine.runtime.surroundings;
    if (files === null || files.total === 0) return null;
    if (content?.binary !== true) return partsOfText(text, files);
    const pieces = isStored(text) ? bytesOfText(text, files) : [];
    return pieces.some((each) => !Buffer.isBuffer(each)) ? slicesOf(pieces, 0, byteCount(pieces)) : null;
  }

  #sendStored(visit: Visit, status: number, headers: HeaderList, parts: readonly SentPart[]): void {
    const { engine } = this;
    const { req, res, request } = visit;
    const { files } = engine.runtime.surroundings;
    const failed = (error: unknown): void => {
      engine.options.onDefect(error, `the response to ${req.method} ${request.path}`);
      if (res.destroyed) return;
      const { status, body = '', headers } = engine.error('internal_error', { request_id: request.id }, request);
      const text = withOrigin(this.#written(body) ?? '', engine.runtime.reader.baseUrl);
      sendWhole(res, status, Object.entries(headers).flat(), text, Buffer.byteLength(text));
    };
    void sendParts(res, status, headers, parts, files, failed);
  }

  /** Releases the stored bytes of a finished call, and from time to time deletes files without references. */
  #releaseFiles({ req }: Visit): void {
    const { files } = this.engine.runtime.surroundings;
    if (files !== null && releaseHeld(req, files) && files.isSweepDue) sweepBytes(this.engine, false);
  }

  /** Reports requests that the pack doesn't emulate: in the response's header, in the counts and in the log. */
  #report(visit: Visit, uses: readonly UnsupportedUse[]): void {
    const { operation, request } = visit;
    if (!this.engine.model.realistic) visit.headers.push(UNSUPPORTED_HEADER, unsupportedText(uses));
    this.engine.noteUnsupported(uses, operation?.key ?? null, operation?.key ?? `${request.method} ${request.path}`);
  }

  #trace(visit: Visit, response: OperationResponse, unsupported: readonly UnsupportedUse[]): void {
    const { req, operation, request } = visit;
    const trace: Trace = {
      id: visit.traceId,
      operation: operation?.key ?? `${req.method} ${request.path}`,
      outcome: visit.outcome,
      subjects: response.subjects,
      decided: response.decided,
      request: {
        id: request.id ?? '',
        method: req.method,
        path: request.path,
        idempotency_key: request.idempotency_key,
      },
      status: response.status,
      error: response.error,
      fault: visit.fault?.id ?? null,
      scenario: visit.scenario?.name ?? null,
      magic_values: response.magicValues,
      stood_back: response.ineffectivePins,
      replayed: visit.replayed,
      transitions: response.transitions,
      events: response.events.map((row) => ({ id: row.id, type: String(row.field('type') ?? '') })),
      at: this.engine.world.now,
      entry: this.engine.world.ledger.count,
      duration_ms: Math.round((performance.now() - visit.startedMs) * 1000) / 1000,
      real_time_s: Math.floor(Date.now() / 1000),
      ...(unsupported.length === 0 ? {} : { unsupported }),
      ...(visit.near && visit.version ? { version: { asked: request.version, answered: visit.version.name } } : {}),
    };
    const { world } = this.engine;
    world.traces.add(trace);
    world.traces.onCall?.(trace);
    world.record({ kind: 'trace', trace, requests: world.requestStream.position });
  }
}

function unsupportedBy({ unsupported }: Visit, response: OperationResponse): readonly UnsupportedUse[] {
  return unsupported === null ? response.unsupported : [...unsupported, ...response.unsupported];
}

/** Whether a response has the pack's usual content type. */
function isUsual({ content, headers }: OperationResponse): boolean {
  return content === null && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
}

/** Whether a fault leaves the body unchanged. */
function isWhole(fault: FaultResponse | undefined): boolean {
  return fault?.body === undefined && fault?.truncateAt === undefined && fault?.dripMs === undefined;
}
