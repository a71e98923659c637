import { SET_COOKIE, setCookie } from '../codecs/index.js';
import { type BytesSlice, headerText, isObject, type JsonObject, toText } from '../values/index.js';
import type { Host } from '../expression/index.js';
import { type RenderedError, type RequestInfo } from '../model/index.js';
import {
  type ContentVariant,
  type ResponsePlan,
  type Envelopes,
  type Invocation,
  type ListPage,
  type Operation,
  type OperationResult,
  type VersionShape,
  inShape,
} from '../program/index.js';
import {
  HeldSubject,
  type IneffectivePin,
  type Provenance,
  type Row,
  type TraceSubject,
  type UnsupportedUse,
} from '../world/index.js';
import { Expander } from './expand.js';
import { contentHeaders, EVENT_STREAM, variantOf } from './content.js';
import type { ApiCall, BodyContent, CallResult } from './invocation.js';
import { ineffectivePins } from './pins.js';
import { responseOf, atHome, inShapeOf } from './response.js';
import { ResponseSize, responseText, jsonWithin } from './response-size.js';
import type { Runtime } from './runtime.js';
import type { RowTransition } from './command.js';
import type { CommandExecution } from './command-execution.js';

/** The effects of a command, for its trace and for listeners. */
export interface Effects {
  readonly events: readonly Row[];
  readonly transitions: readonly RowTransition[];
  readonly magicValues: readonly string[];
  readonly ineffectivePins: readonly IneffectivePin[];
  readonly subjects: readonly TraceSubject[];
  readonly decided: readonly Provenance[];
  readonly unsupported: readonly UnsupportedUse[];
}

/** The events of an open stream so far. */
export interface StreamState {
  /** All events in the wire format, including those already sent. */
  readonly text: string;
  /** Whether the stream ends after these events. */
  readonly isOver: boolean;
}

/** The response to a call of an operation. `body` undefined: no body. */
export interface OperationResponse extends Effects {
  readonly status: number;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The media type of the body; null for JSON, or without a body. */
  readonly content: BodyContent | null;
  /** The parts of the body to send, for range requests; absent: the whole body. */
  readonly slices?: readonly BytesSlice[];
  /** Computes the events of an open stream again; null if the stream ends after the events in `body`. */
  readonly follow?: (() => StreamState) | null;
  /** Id of the object in the response; null: none. */
  readonly self?: string | null;
  /** Milliseconds of real time between the events of a stream. */
  readonly everyMs?: number | undefined;
  /** Delay before the response is sent, in milliseconds of real time; absent: none. */
  readonly delayMs?: number;
  /** Name of the error in the pack's catalog; null on success. */
  readonly error: string | null;
  /** Whether the operation ran: its parameters were valid, and an error, if any, came from its steps. */
  readonly executed: boolean;
  /**
   * Milliseconds for which the call may be repeated after each commit until its condition holds; nothing was committed yet.
   * Absent: this is the final response.
   */
  readonly waitMs?: number;
  /** A time (ms) to which a clock advances before the response is sent, and a function that then rewrites the body. */
  readonly advance: { readonly to: number; readonly of: string | null; readonly body: () => string } | null;
}

export const NO_EFFECTS: Effects = {
  events: [],
  transitions: [],
  magicValues: [],
  ineffectivePins: [],
  subjects: [],
  decided: [],
  unsupported: [],
};

/** An error as the API sends it. */
type WrittenError = Pick<OperationResponse, 'status' | 'body' | 'headers' | 'content'>;

/** Writes an error: text if its headers declare another type than JSON, otherwise JSON. */
export function writtenError({ status, body, headers }: RenderedError): WrittenError {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (typeof body === 'string' && type !== undefined && !/json/i.test(type))
    return { status, body, headers, content: { type, binary: false } };
  return { status, body: body === undefined ? undefined : JSON.stringify(body), headers, content: null };
}

/** Collects the effects of a finished command, and the objects of its response for the trace. */
export function effects(command: CommandExecution, result: OperationResult | null): Effects {
  const rows: Row[] = result?.kind === 'row' ? [result.row] : result?.kind === 'page' ? [...result.page.rows] : [];
  const decided: Provenance[] = [];
  for (const { row, value } of command.exogenous) {
    if (row === null) decided.push(value);
    else if (!rows.includes(row)) rows.push(row);
  }
  const { resources } = command.runtime;
  // Of a page's objects without values from outside, the trace contains only the first, since thousands of traces are kept.
  const subjects: TraceSubject[] = [];
  for (const { resource, held, provenance } of rows)
    if (subjects.length === 0 || provenance !== null || resources[resource].pins.length > 0)
      subjects.push(new HeldSubject(resource, held, provenance));
  return {
    events: command.events,
    transitions: command.transitions,
    magicValues: command.magicValues,
    ineffectivePins: ineffectivePins(command, rows),
    subjects,
    decided,
    unsupported: command.unsupportedUses ?? NO_EFFECTS.unsupported,
  };
}

/**
 * Writes results as JSON texts of responses. Caches the texts of objects until the object (or, for computed fields, the world)
 * changes.
 */
export class ResponseWriter {
  readonly #expander: Expander;
  readonly #envelopes: Envelopes;
  /** Texts of objects in the shape of a version; those in the base version are stored with the objects' rows. */
  readonly #texts = new WeakMap<Row, { readonly text: string; readonly version: number }>();

  /** @param shape of the response's version; null: the base version's */
  constructor(
    private readonly runtime: Runtime,
    private readonly shape: VersionShape | null = null,
  ) {
    this.#expander = new Expander(runtime, shape);
    this.#envelopes = runtime.pack.envelopes;
  }

  /** Writes the response to a call: as events, as other content, or as JSON. */
  response(command: CommandExecution, call: ApiCall, invocation: Invocation, result: OperationResult): WrittenResponse {
    const { operation, request, expand, accepts = [] } = call;
    const status = statusOfResponse(command, operation, invocation, result);
    const streamed = operation.stream?.write()(command, invocation, result) ?? null;
    if (streamed !== null) {
      const everyMs = operation.stream?.everyMs()(command, invocation, result);
      return { status, body: streamed, content: EVENT_STREAM, everyMs: typeof everyMs === 'number' ? everyMs : 0 };
    }
    const holds = ({ when }: ContentVariant): boolean => when === null || when()(command, invocation, result) === true;
    const variant = operation.content === null ? null : variantOf(operation.content, accepts, holds);
    if (variant === null)
      return { status, body: this.text(command, request, result, expand, operation.shape), content: null };
    const { type, binary, ranges } = variant;
    if (type === null) return { status: variant.status ?? status, body: undefined, content: null };
    const body = toText(variant.write()(command, invocation, result));
    return { status: variant.status ?? status, body, content: { type, binary, ...(ranges ? { ranges } : {}) } };
  }

  /**
   * The JSON text of a result.
   * @param shape of the resource in which objects are shown; null: the usual one
   * @throws Rejection if a path can't be expanded
   */
  text(
    host: Host,
    request: RequestInfo,
    result: OperationResult,
    expand: readonly string[],
    shape: string | null = null,
  ): string {
    if (result.kind === 'page') return this.#page(host, request, result.page, expand, shape);
    const text = this.#single(host, request, result, expand, shape);
    const { additions } = this.#envelopes;
    return additions === null ? text : withMembers(text, additions(host, request));
  }

  #single(
    host: Host,
    request: RequestInfo,
    result: Exclude<OperationResult, { kind: 'page' }>,
    expand: readonly string[],
    shape: string | null,
  ): string {
    if (expand.length > 0) return jsonWithin(JSON.stringify(this.#expander.result(host, result, expand, shape)));
    switch (result.kind) {
      case 'row':
        // The text isn't cached after a write, since it is rarely read again, and would double each object's memory.
        return shape === null
          ? this.row(host, result.row, request.method === 'GET')
          : this.#inShape(host, result.row.resource, result.row.value, result.row, shape);
      case 'object':
        if (shape !== null) return this.#inShape(host, result.resource, result.value, null, shape);
        return responseText(this.#plan(result.resource).value(host, result.value));
      case 'value':
        return responseText(inShape(this.shape, host, result.value));
    }
  }

  /** Whether computed fields may depend on the caller. */
  #isPersonal(): boolean {
    const { pack, model } = this.runtime;
    return pack.actor !== null || model.env.scopes?.asked === true;
  }

  /** Returns the JSON text of an object's response, cached for the next read. */
  row(host: Host, row: Row, keep = true): string {
    if (this.shape !== null) return this.#shaped(this.shape, host, row, keep);
    const resource = this.runtime.resources[row.resource];
    const plan = resource.response();
    const { version } = this.runtime.world;
    const { shown } = row;
    if (shown.text !== null && (plan.pure || (shown.version === version && !this.#isPersonal()))) return shown.text;
    const shownValue = responseOf(host, resource, row);
    // Stored values have a limited size, since they came in request bodies.
    const text = plan.pure ? JSON.stringify(shownValue) : responseText(shownValue);
    if (keep) {
      shown.text = text;
      shown.version = version;
    }
    return text;
  }

  #inShape(host: Host, resource: number, object: JsonObject, row: Row | null, shape: string): string {
    return responseText(inShapeOf(host, this.runtime.resources[resource], object, row, shape, this.#plan(resource)));
  }

  #plan(resource: number): ResponsePlan {
    return this.shape?.plan(resource) ?? this.runtime.resources[resource].response();
  }

  /**
   * Returns an object's text in a version, cached until the world changes, since the version's expressions may read other
   * objects. The cache isn't used by commands that may write, whose changes aren't committed yet.
   */
  #shaped(shape: VersionShape, host: Host, row: Row, isRead: boolean): string {
    const { version } = this.runtime.world;
    const known = isRead && !this.#isPersonal() ? this.#texts.get(row) : undefined;
    if (known?.version === version) return known.text;
    const resource = this.runtime.resources[row.resource];
    const show = () => shape.plan(row.resource).value(host, row.value);
    const text = responseText(atHome(host, resource, row, show));
    if (isRead) this.#texts.set(row, { text, version });
    return text;
  }

  #page(host: Host, request: RequestInfo, page: ListPage, expand: readonly string[], shape: string | null): string {
    const { each } = page;
    const size = new ResponseSize();
    const counted = (text: string): string => {
      size.characters(text.length);
      return text;
    };
    const items =
      each !== null
        ? page.rows.map((row) => counted(responseText(each(host, row))))
        : expand.length > 0
          ? this.#expander.page(host, page, expand, shape).map((item) => counted(JSON.stringify(item)))
          : page.rows.map((row) =>
              counted(shape === null ? this.row(host, row) : this.#inShape(host, row.resource, row.value, row, shape)),
            );
    const text = (page.own ?? this.#envelopes[page.envelope])(host, request, page, items.join(','));
    if (page.envelope !== 'search' || expand.length === 0) return text;
    const asked = [...this.#envelopes.searchAsked].filter(([name]) => expand.includes(name));
    return asked.reduce((made, [, member]) => withMembers(made, member(host, request, page, '').slice(1, -1)), text);
  }
}

/** Inserts members at the end of an object's JSON text; returns the text of another value unchanged. */
function withMembers(text: string, members: string): string {
  if (!text.startsWith('{')) return text;
  return text === '{}' ? `{${members}}` : `${text.slice(0, -1)},${members}}`;
}

export const NO_HEADERS = {};

/** The status, body and content of a response, once written. */
export type WrittenResponse = Pick<CallResult, 'status' | 'body' | 'content'> & Pick<OperationResponse, 'everyMs'>;

/**
 * The status of a response: of a success, or of a rejection with a body of its own (`content`).
 * @throws Error if the pack's expression returns an invalid status
 */
export function statusOfResponse(
  command: CommandExecution,
  { key, status, statusOf: compute }: Operation,
  invocation: Invocation,
  result: OperationResult,
): number {
  if (compute === null) return status;
  const made = compute()(command, invocation, result);
  if (typeof made === 'number' && Number.isInteger(made) && made >= 200 && made < 600) return made;
  throw new Error(`the status of ${key} is ${JSON.stringify(made)}, not 200 to 599`);
}

/** Returns the `Set-Cookie` headers of a response. Cookie values contain their expiry, since that is in simulated time. */
function setCookies(command: CommandExecution, values: JsonObject): string[] {
  const { cookies } = command.runtime.model.settings;
  return Object.entries(values).flatMap(([key, value]) => {
    const settings = cookies.get(key);
    if (settings === undefined || value === null) return [];
    const { maxAge } = settings;
    const lifeMs = maxAge === null ? null : command.waitMs(maxAge);
    return setCookie(settings, toText(value), lifeMs === null ? null : { lifeMs, nowMs: command.world.nowMs });
  });
}

/** Returns the headers of an operation's response; several `Set-Cookie` headers are one text with a line for each. */
export function responseHeaders(
  command: CommandExecution,
  { head, cookies, content: choice, tag, resource }: Operation,
  invocation: Invocation,
  result: OperationResult,
  content: BodyContent | null,
): Readonly<Record<string, string>> {
  const negotiated = choice?.negotiated === true;
  const tagged = tag !== null && result.kind === 'row' && result.row.resource === resource.index ? result.row : null;
  if (head === null && cookies === null && content === null && !negotiated && tagged === null) return NO_HEADERS;
  const made: Record<string, string> = content === null ? {} : contentHeaders(content);
  if (tag !== null && tagged !== null) {
    const plan = tag();
    made['ETag'] = plan.of(command, tagged);
    const modifiedMs = plan.modifiedMs(tagged);
    if (modifiedMs !== null) made['Last-Modified'] = new Date(modifiedMs).toUTCString();
  }
  if (negotiated) made['Vary'] = 'Accept';
  for (const [name, value] of Object.entries(head?.()(command, invocation, result) ?? {}))
    if (name.endsWith('*') && isObject(value))
      for (const [rest, each] of Object.entries(value)) made[name.slice(0, -1) + rest] = headerText(toText(each));
    else if (value !== null && value !== '') made[name] = headerText(toText(value));
  if (cookies !== null) {
    const set = setCookies(command, cookies()(command, invocation, result));
    if (set.length > 0) made[SET_COOKIE] = set.join('\n');
  }
  return made;
}

/** The temporary response of a call that still waits for its condition. */
export const NOTHING_YET: OperationResponse = {
  status: 200,
  body: undefined,
  headers: {},
  content: null,
  error: null,
  executed: true,
  advance: null,
  ...NO_EFFECTS,
};
