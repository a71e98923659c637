import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { OperationKind, ResourceDef, RuleSet, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';
import type { ListPage, ListPlan, SearchPlan } from './list.js';
import type { OfCall } from './rate.js';

/** A route of the vendor API: `{name}` in the path matches one segment. */
export interface OperationRoute {
  readonly method: string;
  readonly path: string;
  /** Names in the path, in order. */
  readonly names: readonly string[];
}

/** A condition on calls that selects one of several operations on a route. */
export interface DispatchRule {
  /** Which part of the call the rule reads; `param`: the query or a member of the body. */
  readonly in: 'header' | 'query' | 'param';
  /** Name of the header or parameter; of a header in lower case. */
  readonly name: string;
  /** The value that the call must have there; null: any value. */
  readonly is: string | null;
}

/** The result of an operation, before it is written. */
export type OperationResult =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'object'; readonly resource: number; readonly value: JsonObject }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'page'; readonly page: ListPage };

/** The input of an operation. */
export interface Invocation {
  readonly params: JsonObject;
  /** The object in the route. */
  readonly self: Row | null;
  /** The object's parent: from the route, else from the object's reference. */
  readonly parent: Row | null;
  readonly path: string;
  /** Parameters as sent, without those in the path. */
  readonly given: JsonObject;
  /** Variables of the operation's `let`, for the response. */
  bound?: Readonly<Record<string, unknown>>;
}

/** The compiled body of an operation: steps, or a read that is described as data. */
export type OperationBody =
  | { readonly kind: 'steps'; readonly run: (execution: Execution, invocation: Invocation) => OperationResult }
  | { readonly kind: 'list'; readonly plan: ListPlan }
  | { readonly kind: 'search'; readonly plan: SearchPlan };

/** Computes something from a response that is about to be written. */
export type OfResponse<T> = (execution: Execution, invocation: Invocation, result: OperationResult) => T;

/** Headers of an operation's responses; null headers are left out. */
export type ResponseHead = OfResponse<JsonObject>;

/** Content other than the usual JSON. */
export interface ContentVariant {
  /** Media types that select this content; null: independent of them. */
  readonly accept: TextPattern | null;
  /** The media type of the content; null: no body. */
  readonly type: string | null;
  readonly binary: boolean;
  /** Whether range requests get a part of the content; `several`: also several parts. */
  readonly ranges: boolean | 'several';
  /** Replaces the operation's status; null: keeps it. */
  readonly status: number | null;
  /** Whether the operation has this content for an object; null: always. */
  readonly when: (() => OfResponse<Json>) | null;
  /** Writes the content as text; binary content as base64. */
  readonly write: () => OfResponse<Json>;
}

/** Content that replaces the usual JSON: the first variant that applies, else JSON. */
export interface Content {
  readonly variants: readonly ContentVariant[];
  /** Media type for callers without a preference, without parameters. */
  readonly usual: string;
  /** Whether the content depends on the Accept header. */
  readonly negotiated: boolean;
}

/** A response as server-sent events, with pauses in real time. */
export interface Stream {
  /** Milliseconds between two events; null: none. */
  readonly everyMs: () => OfResponse<Json>;
  /** The text of all events; null: the call doesn't request a stream. */
  readonly write: () => OfResponse<string | null>;
  /** The stream stays open until this is true, and sends events that later commits add; null: it ends after the first ones. */
  readonly until: (() => OfResponse<Json>) | null;
  /** The last event of an open stream, in the wire format; may be empty. */
  readonly last: string;
  /** Milliseconds of real time between comments that keep an open stream alive; null: none. */
  readonly pingMs: number | null;
  /** The event with which a fault ends the stream. */
  readonly broken: () => (host: Host, error: Json) => Json;
  /** Runs if the caller disconnects before the end; null: nothing does. */
  readonly closed: (() => (execution: Execution, self: Row | null, sent: number) => void) | null;
}

/** The condition for the response of a waiting call (long polling). */
export interface LongPoll {
  readonly until: () => OfResponse<Json>;
  /** The longest wait in milliseconds, in simulated and in real time. */
  readonly atMostMs: () => OfResponse<Json>;
}

/** A request body that is one parameter. */
export interface WholeBody {
  readonly as: string;
  /** `bytes`: a map of `type`, `size` and `base64`; `lines`: JSON values; `list`: a JSON list. */
  readonly type: 'bytes' | 'text' | 'lines' | 'list';
  /** Content types that are parsed this way. */
  readonly accepts: readonly TextPattern[];
  /** Content coding of bodies with a chunked framing of their own, with trailers; null: none. */
  readonly framed: string | null;
  /** Content type of bodies other than bytes. */
  readonly contentType: string;
}

/** Entity tags of a resource's objects. */
export interface TagPlan {
  /** The tag in the format of the header, in quotes. */
  readonly of: (execution: Execution, row: Row) => string;
  /** The last change of an object in simulated time (ms, whole seconds); null: unknown. */
  readonly modifiedMs: (row: Row) => number | null;
}

/** The parent of a resource's objects. */
export interface Parent {
  readonly resource: ResourceDef;
  /** The field of the child that refers to the parent. */
  readonly field: string;
  /** Names in routes that form its id, joined by `/`. */
  readonly names: readonly string[];
  /** Checks whether the caller may reach the parent; null: every caller may. @throws Rejection if it may not */
  readonly check: ((execution: Execution, parent: Row) => void) | null;
}

/** An operation of the vendor API. */
export interface Operation {
  readonly name: string;
  readonly kind: OperationKind;
  readonly resource: ResourceDef;
  /** `<collection>.<name>`, as faults and traces name it. */
  readonly key: string;
  readonly routes: readonly OperationRoute[];
  /** All conditions must hold; empty: no other operation is on its routes, or it takes the remaining calls. */
  readonly dispatch: readonly DispatchRule[];
  /** Names in the route that form the object's id, joined by `/`; null: `{id}`. */
  readonly idKey: readonly string[] | null;
  /** The object that the routes name before the operation's own; null: they name none. */
  readonly parent: Parent | null;
  /** Compiles the entity tags of the operation's objects, on first use; null: they have none. */
  readonly tag: (() => TagPlan) | null;
  /** Parameters by name, including those in the path; parsed on the first call. */
  readonly params: () => ReadonlyMap<string, Schema>;
  /** Rules between its parameters, parsed on the first call; null: none. */
  readonly rules: () => RuleSet | null;
  /** Status of a successful response, unless `statusOf` computes it. */
  readonly status: number;
  /** Compiles the status of responses, on the first call; null: the status is constant. */
  readonly statusOf: (() => OfResponse<Json>) | null;
  /** Names of the other kinds of keys that may call it. */
  readonly keys: ReadonlySet<string>;
  /** Whether the operation can be called without a key. */
  readonly open: boolean;
  /** Every caller may call it: it requires neither a key nor a secret that its steps check. */
  readonly unguarded: boolean;
  /** A form of the pack's pages calls it. */
  ofPages: boolean;
  /** Scopes that a token needs to call it. */
  readonly scopes: readonly string[];
  /** One of these scopes is needed too; empty: none. */
  readonly anyScope: readonly string[];
  /** The response for a deleted object; null: not found. */
  readonly tombstone: (() => (host: Host, value: JsonObject) => JsonObject) | null;
  /** The response shows the state after the steps, before timers without a delay fire. */
  readonly immediate: boolean;
  /** Whether the vendor's document may describe the operation; false: the document has another operation at its route. */
  readonly documented: boolean;
  /** The shape of its resource's objects in the response; null: the usual one. */
  readonly shape: string | null;
  /** The call only reads, so it runs without a transaction. */
  readonly reads: boolean;
  /** Whether its steps have no effect, whatever its method; computed on first use. */
  readonly changesNothing: () => boolean;
  /** Compiles the operation's own headers, on the first call; null: it has none. */
  readonly head: (() => ResponseHead) | null;
  /** Values of its cookies; compiled on the first call; null: none. */
  readonly cookies: (() => ResponseHead) | null;
  readonly content: Content | null;
  /** How a body that isn't a map of parameters becomes one; null: bodies are maps of parameters. */
  readonly whole: WholeBody | null;
  /** Size limit of a request body. */
  readonly maxBodyBytes: number;
  readonly stream: Stream | null;
  /** The condition that the response waits for; null: it responds immediately. */
  readonly wait: LongPoll | null;
  /** Compiles the operation's steps or list; called once, at the first call. */
  readonly body: () => OperationBody;
}

/** Operations that aren't emulated for some calls, such as those of one dialect of a vendor. */
export interface OutsideAtTimes {
  /** Keys of the operations that aren't emulated then. */
  readonly operations: ReadonlySet<string>;
  readonly when: OfCall;
  /** The error that such a call gets; null: the one of an unknown route. */
  readonly error: string | null;
  readonly args: JsonObject;
}

/** A part of the vendor API that the pack doesn't emulate: calls are rejected with an error that says so. */
export interface Unsupported {
  /** Path prefix that isn't emulated; or a host name, if the whole host isn't. */
  readonly path: string;
  /** The error that such a call gets; null: the one of an unknown route. */
  readonly error: string | null;
  readonly args: JsonObject;
}
