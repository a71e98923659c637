import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { OperationKind, ResourceDef, RuleSet, Schema } from '../model/index.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';
import type { ListPage, ListPlan, SearchPlan } from './list.js';
import type { OfCall } from './rate.js';

/** A route of the vendor's API: `{name}` in the path stands for one segment. */
export interface OperationRoute {
  readonly method: string;
  readonly path: string;
  /** Names in the path, in order. */
  readonly names: readonly string[];
}

/** What a call must bring to mean an operation, where several share a route. */
export interface DispatchRule {
  /** `param`: in the query, or a member of the body. */
  readonly in: 'header' | 'query' | 'param';
  /** Headers in lower case. */
  readonly name: string;
  /** Null: any value. */
  readonly is: string | null;
}

/** What an operation returns, before it is written out. */
export type OperationResult =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'object'; readonly resource: number; readonly value: JsonObject }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'page'; readonly page: ListPage };

/** What a call of an operation brings. */
export interface Invocation {
  readonly params: JsonObject;
  /** The object that the route names. */
  readonly self: Row | null;
  /** What the object belongs to: what the route names, else what the object refers to. */
  readonly parent: Row | null;
  readonly path: string;
  /** Parameters as they came, without those in the path. */
  readonly given: JsonObject;
  /** What the operation's `let` has bound, for what writes the response. */
  bound?: Readonly<Record<string, unknown>>;
}

/** The compiled body of an operation: steps, or a read that is described as data. */
export type OperationBody =
  | { readonly kind: 'steps'; readonly run: (execution: Execution, invocation: Invocation) => OperationResult }
  | { readonly kind: 'list'; readonly plan: ListPlan }
  | { readonly kind: 'search'; readonly plan: SearchPlan };

/** Makes something of a response that is about to be written. */
export type OfResponse<T> = (execution: Execution, invocation: Invocation, result: OperationResult) => T;

/** Headers of one operation's responses; null: left out. */
export type ResponseHead = OfResponse<JsonObject>;

/** A body that is not the usual JSON. */
export interface ContentVariant {
  /** Finds the media types that ask for it; null: it does not depend on them. */
  readonly accept: TextPattern | null;
  /** Null: there is no body. */
  readonly type: string | null;
  readonly binary: boolean;
  /** It comes in a part where the caller asks for one; `several`: in several, too. */
  readonly ranges: boolean | 'several';
  /** Instead of the operation's; null: the operation's. */
  readonly status: number | null;
  /** Whether it fits; null: always. */
  readonly when: (() => OfResponse<Json>) | null;
  /** Its text; base64 of binary ones. */
  readonly write: () => OfResponse<Json>;
}

/** What an operation returns instead of the usual JSON: the first that fits; where none does, JSON. */
export interface Content {
  readonly variants: readonly ContentVariant[];
  /** Media type of what goes out where the caller has no preference, without parameters. */
  readonly usual: string;
  /** It depends on the caller's Accept header. */
  readonly negotiated: boolean;
}

/** A response that goes out as server-sent events, with pauses of real time between them. */
export interface Stream {
  /** Milliseconds between two events; null: none. */
  readonly everyMs: () => OfResponse<Json>;
  /** The text of all events; null: the call does not ask for a stream. */
  readonly write: () => OfResponse<string | null>;
  /** It stays open until this is true, for events that later commits add; null: it ends behind the first ones. */
  readonly until: (() => OfResponse<Json>) | null;
  /** The last event, as it goes over the wire, of a stream that stays open; empty: none. */
  readonly last: string;
  /** Milliseconds of real time after which a comment keeps an open stream alive; null: none. */
  readonly pingMs: number | null;
  /** The event of a fault that ends the stream. */
  readonly broken: () => (host: Host, error: Json) => Json;
  /** Runs when the caller goes away before the end; null: nothing does. */
  readonly closed: (() => (execution: Execution, self: Row | null, sent: number) => void) | null;
}

/** When the response to a call goes out that waits for something. */
export interface LongPoll {
  readonly until: () => OfResponse<Json>;
  /** The longest wait in milliseconds, of simulated and of real time. */
  readonly atMostMs: () => OfResponse<Json>;
}

/** A body of a request that is one parameter as a whole. */
export interface WholeBody {
  readonly as: string;
  /** `bytes`: a map of `type`, `size` and `base64`; `lines`: JSON values; `list`: a JSON list. */
  readonly type: 'bytes' | 'text' | 'lines' | 'list';
  /** Content types that are read so. */
  readonly accepts: readonly TextPattern[];
  /** Content coding whose bodies bring their bytes in chunks of their own, with trailers; null: none does. */
  readonly framed: string | null;
  /** Content type of a body that is known not to be bytes. */
  readonly contentType: string;
}

/** Version tags of the objects of a resource. */
export interface TagPlan {
  /** The tag as a header has it, in quotes. */
  readonly of: (execution: Execution, row: Row) => string;
  /** When an object was changed last, in whole seconds of simulated time (ms); null: unknown. */
  readonly modifiedMs: (row: Row) => number | null;
}

/** What objects of a resource belong to. */
export interface Parent {
  readonly resource: ResourceDef;
  /** The field of the child that refers to it. */
  readonly field: string;
  /** Names in routes that together are its id, joined by `/`. */
  readonly names: readonly string[];
  /** Null: everyone may reach it. @throws Rejection when the caller may not */
  readonly check: ((execution: Execution, parent: Row) => void) | null;
}

/** An operation of the vendor's API. */
export interface Operation {
  readonly name: string;
  readonly kind: OperationKind;
  readonly resource: ResourceDef;
  /** `<collection>.<name>`, as faults and traces call it. */
  readonly key: string;
  readonly routes: readonly OperationRoute[];
  /** All must hold; empty: its routes are its own, or it takes what no other operation on them takes. */
  readonly dispatch: readonly DispatchRule[];
  /** Names in the route that together are the id of the object, joined by `/`; null: `{id}` is. */
  readonly idKey: readonly string[] | null;
  /** Null: its objects belong to no other. */
  readonly parent: Parent | null;
  /** Compiled when first needed; null: its objects have no version tags. */
  readonly tag: (() => TagPlan) | null;
  /** Parameters by name, those in the path included; read when first called. */
  readonly params: () => ReadonlyMap<string, Schema>;
  /** Rules between its parameters, read when first called; null: none. */
  readonly rules: () => RuleSet | null;
  /** Its status, where that is constant; else the usual one. */
  readonly status: number;
  /** Compiled when first called; null: the status is constant. */
  readonly statusOf: (() => OfResponse<Json>) | null;
  /** Names of the other keys that may call it too. */
  readonly keys: ReadonlySet<string>;
  /** It needs no key. */
  readonly open: boolean;
  /** Every caller may call it: it needs no key, and no secret that its steps check. */
  readonly unguarded: boolean;
  /** A form of the pack's pages calls it. */
  ofPages: boolean;
  /** What a token must have to call it. */
  readonly scopes: readonly string[];
  /** One of these is needed too; empty: none. */
  readonly anyScope: readonly string[];
  /** What a deleted object is returned as; null: it is not found. */
  readonly tombstone: (() => (host: Host, value: JsonObject) => JsonObject) | null;
  /** The response shows what the steps left, before waits of no length end. */
  readonly immediate: boolean;
  /** The vendor's document may have it; false: what it has at the route is another call. */
  readonly documented: boolean;
  /** The shape in which it returns objects of its resource; null: as usual. */
  readonly shape: string | null;
  /** The call only reads, so it may run without opening a command for changes. */
  readonly reads: boolean;
  /** Its steps change nothing, whatever its method; found out when first asked. */
  readonly changesNothing: () => boolean;
  /** Compiled when first called; null: it has no headers of its own. */
  readonly head: (() => ResponseHead) | null;
  /** Values of the cookies that it sets; compiled when first called; null: it sets none. */
  readonly cookies: (() => ResponseHead) | null;
  readonly content: Content | null;
  /** Null: bodies of requests are maps of parameters. */
  readonly whole: WholeBody | null;
  /** The largest body of a request. */
  readonly maxBodyBytes: number;
  readonly stream: Stream | null;
  /** Null: it responds at once. */
  readonly wait: LongPoll | null;
  /** Compiled when first called. */
  readonly body: () => OperationBody;
}

/** Operations that are not emulated for some calls, as those in the words of a vendor that has something else there. */
export interface OutsideAtTimes {
  /** Their keys. */
  readonly operations: ReadonlySet<string>;
  readonly when: OfCall;
  /** Null: that of an unknown route. */
  readonly error: string | null;
  readonly args: JsonObject;
}

/** A part of the vendor's API that the pack does not emulate: calls there are rejected with an error that says so. */
export interface Unsupported {
  /** At and below which nothing is emulated; the name of a machine, where all of it is meant. */
  readonly path: string;
  /** Null: that of an unknown route. */
  readonly error: string | null;
  readonly args: JsonObject;
}
