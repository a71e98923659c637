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
  /** Names of the segments in braces in the path, in order. */
  readonly names: readonly string[];
}

/** A condition on calls that selects one of several operations on a route. */
export interface DispatchRule {
  /** Which part of the call the rule reads; `param`: the query or a member of the body. */
  readonly in: 'header' | 'query' | 'param';
  /** Name of the header or parameter; of a header in lower case. */
  readonly name: string;
  /** The value that the header or parameter must have; null: any value. */
  readonly is: string | null;
}

/** The result of an operation, before it is written as a response. */
export type OperationResult =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'object'; readonly resource: number; readonly value: JsonObject }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'page'; readonly page: ListPage };

/** The objects, parameters and request with which an operation runs. */
export interface Invocation {
  readonly params: JsonObject;
  /** The object that the route names by its id; null: none. */
  readonly self: Row | null;
  /** The object's parent: the one in the route, else the one to which the object refers. */
  readonly parent: Row | null;
  readonly path: string;
  /** Parameters that the call sent, without those in the path. */
  readonly given: JsonObject;
  /** Values of the operation's `let`, which the response's expressions read. */
  bound?: Readonly<Record<string, unknown>>;
}

/** The compiled body of an operation: steps, a list, or a search. */
export type OperationBody =
  | { readonly kind: 'steps'; readonly run: (execution: Execution, invocation: Invocation) => OperationResult }
  | { readonly kind: 'list'; readonly plan: ListPlan }
  | { readonly kind: 'search'; readonly plan: SearchPlan };

/** Computes a value for a response from the invocation and its result. */
export type OfResponse<T> = (execution: Execution, invocation: Invocation, result: OperationResult) => T;

/** Computes the headers of an operation's responses; null headers are left out. */
export type ResponseHead = OfResponse<JsonObject>;

/** A representation of the response other than JSON. */
export interface ContentVariant {
  /** Matches media types of the Accept header that select the content; null: the header doesn't matter. */
  readonly accept: TextPattern | null;
  /** The media type of the content; null: no body. */
  readonly type: string | null;
  readonly binary: boolean;
  /** Whether range requests get a part of the content; `several`: also several parts. */
  readonly ranges: boolean | 'several';
  /** Status of responses with the content, in place of the operation's; null: the operation's. */
  readonly status: number | null;
  /** Condition under which the content applies; null: it always applies. */
  readonly when: (() => OfResponse<Json>) | null;
  /** Writes the content as text; binary content as base64. */
  readonly write: () => OfResponse<Json>;
}

/** Representations that replace JSON; the first one that applies to a call is sent, else JSON. */
export interface Content {
  readonly variants: readonly ContentVariant[];
  /** Media type, without parameters, for callers that state no preference. */
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
  /** Condition that ends the stream; until then, it sends events of later commits. Null: it ends after the first events. */
  readonly until: (() => OfResponse<Json>) | null;
  /** The event that ends an open stream, in the wire format; may be empty. */
  readonly last: string;
  /** Milliseconds of real time between comments that keep an open stream alive; null: none. */
  readonly pingMs: number | null;
  /** Computes the event with which a fault ends the stream, from the fault's error. */
  readonly broken: () => (host: Host, error: Json) => Json;
  /** The pack's steps for a caller that disconnects before the end; null: none. */
  readonly closed: (() => (execution: Execution, self: Row | null, sent: number) => void) | null;
}

/** Condition and time limit of a call that waits for its response (long polling). */
export interface LongPoll {
  readonly until: () => OfResponse<Json>;
  /** Computes the longest wait in milliseconds, both of simulated and of real time. */
  readonly atMostMs: () => OfResponse<Json>;
}

/** How a request body that is a single parameter is parsed. */
export interface WholeBody {
  readonly as: string;
  /** `bytes`: a map of `type`, `size` and `base64`; `lines`: JSON values; `list`: a JSON list. */
  readonly type: 'bytes' | 'text' | 'lines' | 'list';
  /** Patterns of the content types of bodies that are a single parameter. */
  readonly accepts: readonly TextPattern[];
  /** Name of a content coding with its own chunks and trailers, which bodies may have; null: none. */
  readonly framed: string | null;
  /** Content type with which clients of the sandbox send bodies that are a single parameter, except bytes. */
  readonly contentType: string;
}

/** How the entity tags of a resource's objects are computed. */
export interface TagPlan {
  /** Computes an object's entity tag as the header contains it, in quotes. */
  readonly of: (execution: Execution, row: Row) => string;
  /** Returns the time of an object's last change (ms of simulated time, whole seconds); null: unknown. */
  readonly modifiedMs: (row: Row) => number | null;
}

/** How an operation's route names the parent of its object. */
export interface Parent {
  readonly resource: ResourceDef;
  /** The field of the child that contains the parent's id. */
  readonly field: string;
  /** Names in the route whose values, joined by `/`, form the parent's id. */
  readonly names: readonly string[];
  /** Checks whether the caller may use the parent; null: every caller may. @throws Rejection */
  readonly check: ((execution: Execution, parent: Row) => void) | null;
}

/** A compiled operation of the vendor API. */
export interface Operation {
  readonly name: string;
  readonly kind: OperationKind;
  readonly resource: ResourceDef;
  /** Key of the operation in faults and traces: `<collection>.<name>`. */
  readonly key: string;
  readonly routes: readonly OperationRoute[];
  /** Conditions under which a call selects the operation among those on its route; empty: all remaining calls. */
  readonly dispatch: readonly DispatchRule[];
  /** Names in the route whose values, joined by `/`, form the object's id; null: `{id}`. */
  readonly idKey: readonly string[] | null;
  /** The parent object that the operation's routes name; null: none. */
  readonly parent: Parent | null;
  /** Compiles the entity tags of the operation's objects, on first use; null: they have none. */
  readonly tag: (() => TagPlan) | null;
  /** Returns the operation's parameters by name, including those in the path; parsed on the first call. */
  readonly params: () => ReadonlyMap<string, Schema>;
  /** Returns the rules between the operation's parameters, parsed on the first call; null: none. */
  readonly rules: () => RuleSet | null;
  /** Status of a successful response, unless `statusOf` computes it. */
  readonly status: number;
  /** Compiles the status of responses, on the first call; null: the status is constant. */
  readonly statusOf: (() => OfResponse<Json>) | null;
  /** Kinds of API keys, besides the world's own key, that may call the operation. */
  readonly keys: ReadonlySet<string>;
  /** Whether the operation can be called without a key. */
  readonly open: boolean;
  /** Whether every caller may call the operation: it requires neither a key, nor a secret that its steps check. */
  readonly unguarded: boolean;
  /** Whether it rejects undeclared parameters. */
  readonly rejectsUnknown: boolean;
  /** Whether a form on one of the pack's pages calls the operation. */
  ofPages: boolean;
  /** Scopes that a token needs for the operation. */
  readonly scopes: readonly string[];
  /** Scopes of which a token needs at least one, in addition to `scopes`; empty: none. */
  readonly anyScope: readonly string[];
  /** Computes the response for a deleted object; null: a deleted object is not found. */
  readonly tombstone: (() => (host: Host, value: JsonObject) => JsonObject) | null;
  /** Whether the response shows the state before timers without a delay fire. */
  readonly immediate: boolean;
  /** Whether the vendor's document may describe the operation; false if the document has another operation at its route. */
  readonly documented: boolean;
  /** Name of the shape in which the response contains objects of the resource; null: the usual shape. */
  readonly shape: string | null;
  /** Whether the operation runs without a transaction, since it only reads. */
  readonly reads: boolean;
  /** Whether the operation's steps change nothing, whatever its HTTP method; computed on first use. */
  readonly changesNothing: () => boolean;
  /** Compiles the operation's own headers, on the first call; null: it has none. */
  readonly head: (() => ResponseHead) | null;
  /** Computes the values of the cookies that the operation sets; compiled on the first call; null: none. */
  readonly cookies: (() => ResponseHead) | null;
  readonly content: Content | null;
  /** How a request body that is a single parameter is parsed; null: bodies are maps of parameters. */
  readonly whole: WholeBody | null;
  /** Size limit of the operation's request body, in bytes. */
  readonly maxBodyBytes: number;
  readonly stream: Stream | null;
  /** Condition that the response waits for; null: the operation responds at once. */
  readonly wait: LongPoll | null;
  /** Compiles the operation's steps or list; called once, at the first call. */
  readonly body: () => OperationBody;
}

/** Operations that the sandbox doesn't emulate for calls that meet a condition, such as calls in one dialect of a vendor. */
export interface OutsideAtTimes {
  /** Keys of the operations that aren't emulated for calls that meet the condition. */
  readonly operations: ReadonlySet<string>;
  readonly when: OfCall;
  /** Name of the error for a call that isn't emulated; null: the error for an unknown route. */
  readonly error: string | null;
  readonly args: JsonObject;
}

/** A part of the vendor API that the pack doesn't emulate; calls get an error that says so. */
export interface Unsupported {
  /** Path prefix that isn't emulated; for a whole host, the host's name. */
  readonly path: string;
  /** Name of the error for a call that isn't emulated; null: the error for an unknown route. */
  readonly error: string | null;
  readonly args: JsonObject;
}
