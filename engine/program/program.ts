import type { Host } from '../expression/index.js';
import type { Model, ResourceDef, Schema, RequestInfo } from '../model/index.js';
import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { Envelopes, HeaderPlan } from './response.js';
import type { BrowserLibrary, BrowserPage } from './page.js';
import type { DeliveryPlan } from './delivery.js';
import type { GraphqlPlan } from './graphql.js';
import type { McpPlan } from './mcp.js';
import type { Operation, OutsideAtTimes, Unsupported } from './operation.js';
import type { EventKind, EventMaker, ResourceProgram } from './resource.js';
import type { RouteTable } from './routes.js';
import type { RateLimit } from './rate.js';
import type { ApiVersions, Version } from './version.js';
import type { Row } from '../world/index.js';
import type { Execution } from './execution.js';

/** A pack that can run. Parts that a first request doesn't need are compiled on first use. */
export interface Program {
  readonly model: Model;
  readonly resources: readonly ResourceProgram[];
  /** Computes the objects that a new world contains, by collection; null: none. */
  readonly initial: ((host: Host) => Readonly<Record<string, readonly Json[]>>) | null;
  /** Resource numbers in the order in which the objects of seed data are completed. */
  readonly seedOrder: readonly number[];
  readonly operations: readonly Operation[];
  readonly causes: ReadonlyMap<string, Cause>;
  readonly magic: Magic;
  readonly scenarios: () => ReadonlyMap<string, Scenario>;
  /** The pack's named seed data, by name. */
  readonly seeds: () => ReadonlyMap<string, NamedSeed>;
  readonly eventMaker: EventMaker | null;
  /** Kinds of events besides ordinary ones, by name. */
  readonly eventKinds: ReadonlyMap<string, EventKind>;
  readonly eventTypes: readonly string[];
  readonly envelopes: Envelopes;
  readonly headers: HeaderPlan;
  /** How keys that the world issues are stored and checked; null: it issues none. */
  readonly tokens: TokenPlan | null;
  /** Styles of signatures on calls, and how each is verified. */
  readonly signatures: readonly CallSignature[];
  /** How the actor of a call is found; null: the pack has no actors. */
  readonly actor: ActorPlan | null;
  /** How tenants are selected; null: worlds have no tenants. */
  readonly tenants: TenantPlan | null;
  readonly times: TimePlan | null;
  /** The rate limits, in the order of pack.yaml. */
  readonly rateLimits: readonly RateLimit[];
  readonly delivery: () => DeliveryPlan | null;
  readonly routes: RouteTable;
  /** Resources, by the names in routes whose values are ids of their objects. */
  readonly routeIds: ReadonlyMap<string, ResourceDef>;
  /** Alternative paths of objects, in the order of pack.yaml. */
  readonly otherPaths: readonly OtherPath[];
  readonly pages: readonly BrowserPage[];
  /** The vendor's JavaScript library for browsers; null: the pack declares none. */
  readonly browser: BrowserLibrary | null;
  /** The API versions; null: the pack has only one form of objects. */
  readonly versions: ApiVersions | null;
  /** Path prefixes that the pack doesn't emulate, longest first. */
  readonly unsupported: readonly Unsupported[];
  /** Host names of the vendor that the pack doesn't emulate. */
  readonly otherHosts: ReadonlyMap<string, Unsupported>;
  /** Operations that the pack doesn't emulate for calls that meet a condition. */
  readonly outsideAtTimes: readonly OutsideAtTimes[];
  /** What the vendor's document declares beyond the pack; null: the pack has no facts.yaml. */
  readonly facts: Facts | null;
  /** The vendor's JavaScript client, for code examples; null: none. */
  readonly client: () => VendorClient | null;
  /** Code examples for a first call; null: none. */
  readonly start: () => Start | null;
  /** The vendor's own MCP server; null: the pack has no mcp.yaml. */
  readonly mcp: McpPlan | null;
  /** The operation that receives mail by SMTP; null: none. */
  readonly smtp: () => SmtpPlan | null;
  /** The GraphQL API; null: the pack has no graphql.yaml. */
  readonly graphql: GraphqlPlan | null;
}

/** One variant of an external event: its subject, parameters, precondition and steps. */
export interface CauseVariant {
  readonly description: string;
  readonly subject: { readonly param: string; readonly resource: ResourceDef } | null;
  /** Parameters of the variant, except `subject.param`, whose value is the id of the subject. */
  readonly params: ReadonlyMap<string, Schema>;
  readonly holds: (execution: Execution, self: Row | null, params: JsonObject) => boolean;
  readonly run: (execution: Execution, self: Row | null, params: JsonObject) => void;
  readonly check: () => void;
}

/** An external event of the pack, which tests can trigger. */
export interface Cause {
  readonly name: string;
  readonly variants: readonly CauseVariant[];
}

/** The vendor's JavaScript client, for code examples. */
export interface VendorClient {
  /** Name of the client's package on npm. */
  readonly package: string;
  /**
   * Code that creates a client; `{host}`, `{port}`, `{protocol}` and `{url}` are replaced by parts of the sandbox's address.
   */
  readonly begin: string;
  /** Name of the client's variable in the code of `begin`. */
  readonly object: string;
  /** Dotted method names by the keys of operations; operations without a method are absent. */
  readonly calls: ReadonlyMap<string, string>;
  /** The client's names of options that set a header, by the header's name in lower case. */
  readonly options: ReadonlyMap<string, string>;
}

/** What the vendor's API document declares beyond the pack, from facts.yaml. */
export interface Facts {
  /**
   * Adds parameters and rules of the vendor's document to those of an operation. Added parameters are marked as having no
   * effect; rules are added where the pack has none.
   * @param declared parameters of the operation, in the call's version
   * @param version of the call; the account's by default
   */
  complete(operation: Operation, declared: ReadonlyMap<string, Schema>, version?: Version): ReadonlyMap<string, Schema>;
  /** Returns the headers, in lower case, that the vendor documents for an operation and the pack doesn't read. */
  headers(operation: Operation): readonly string[];
  /** Whether the vendor documents media types other than JSON for an operation. */
  returnsOthers(operation: Operation): boolean;
  /** Returns the documented media type other than JSON that a media range of the Accept header selects; null: none. */
  returned(operation: Operation, range: string): string | null;
  /** Returns the documented route of a call, such as `GET /boats/{id}`; null: none. @param path without a query */
  routeOf(method: string, path: string): string | null;
  /** Whether a type of the vendor's GraphQL schema has a field, an input member or a value; `field(arg)`: an argument. */
  hasMember(type: string, member: string): boolean;
  /** Whether the vendor's GraphQL schema has a type. */
  hasType(type: string): boolean;
}

/** The flow that creates the object of a test value, and the flow's arguments. */
export interface Recipe {
  readonly flow: string;
  readonly args: JsonObject;
}

/** A set of test values that create objects of one resource. */
export interface MagicFamily {
  readonly name: string;
  readonly resource: ResourceDef;
  readonly looksLike: TextPattern;
  readonly values: () => ReadonlyMap<string, Recipe>;
}

/** All test values of a pack. */
export interface Magic {
  readonly families: readonly MagicFamily[];
  /** Creates a test value's object. `unknown`: it only looks like a test value; undefined: it is an ordinary id. */
  make(execution: Execution, resource: number, value: string): { readonly id: string } | 'unknown' | undefined;
}

/** An override ("pin") that a scenario sets for one call only. */
export interface CallPin {
  readonly resource: number;
  readonly path: string;
  readonly value: Json;
}

/** A scenario that the header `X-Mock-Scenario` selects: its effects on one call. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Keys of the operations to which the scenario applies; null: all. */
  readonly operations: ReadonlySet<string> | null;
  readonly fail: { readonly error: string; readonly args: JsonObject } | null;
  readonly delayMs: number;
  readonly pins: readonly CallPin[];
  readonly provide: JsonObject;
}

/** An alternative path of an object, served like the object's own path, together with all paths below it. */
export interface OtherPath {
  readonly resource: ResourceDef;
  /** Matches a path, with a group for each of `fields`, and a last group for the rest of the path. */
  readonly pattern: RegExp;
  /** Fields of the object whose values are in the path. */
  readonly fields: readonly string[];
  /** The object's own path, in which `{field}` is the value of a field. */
  readonly as: string;
}

/** Named seed data of a pack. */
export interface NamedSeed {
  readonly name: string;
  readonly description: string;
  /** The seed data, as a body of `POST /seed`. */
  readonly body: JsonObject;
}

/** A signed call, as expressions that verify the signature read it. */
export interface SignedCall {
  readonly method: string;
  /** The path of the call as it was sent, still encoded. */
  readonly path: string;
  /** The query of the call as it was sent, without the question mark. */
  readonly query: string;
  /** The decoded parameters of the query, in the order in which they were sent. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Headers of the call by lower-case name; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The API key of the call, which by default is also the signing key. */
  readonly key: string;
  /** The bytes of the call's body, as `{base64}`. */
  readonly body: Json;
  /** The body of the call as text. */
  readonly text: string;
  /** Real time at which the call arrived, in the pack's time format. */
  readonly time: Json;
}

/** A style in which callers sign their calls. */
export interface CallSignature {
  /** Whether calls without an API key must be signed in this style. */
  readonly keyless: boolean;
  /** Verifies the signature of a call. @throws Rejection with the vendor's error */
  readonly verify: (host: Host, request: RequestInfo, call: SignedCall) => void;
  /** Compiles the checks of a signature now instead of on first use, so that problems are reported. */
  readonly check: () => void;
}

/** The operation that receives mail by SMTP. */
export interface SmtpPlan {
  readonly operation: Operation;
  /** JMESPath over the mail, for each parameter of the call. */
  readonly with: Readonly<Record<string, string>>;
  /** The SMTP error text, as JMESPath over the body of a rejection; null: the body itself. */
  readonly error: string | null;
}

/** Code examples for a first call, and calls to try in the inspector. */
export interface Start {
  /** Programs that make a call, with placeholders such as `{url}` and `{key}`. */
  readonly languages: readonly { readonly name: string; readonly install: string | null; readonly code: string }[];
  readonly collections: readonly string[];
  readonly tries: readonly Try[];
}

/** A call that a button of the inspector makes. */
interface Try {
  readonly title: string;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly params: JsonObject;
}

/** How calls select a tenant: an object of one resource that other objects belong to. */
export interface TenantPlan {
  /** Number of the resource whose objects are tenants. */
  readonly resource: number;
  /** The id that means no tenant; null: none. */
  readonly home: string | null;
  /** Headers that name a tenant, in lower case. */
  readonly headers: readonly string[];
  /** The response header that names the tenant; null: none. */
  readonly echo: string | null;
  /** Names in routes whose value is a tenant's id. */
  readonly pathNames: ReadonlySet<string>;
  /** The field of a tenant that holds its key; null: none. */
  readonly keyField: string | null;
  /** The field of a token that names its tenant; null: none. */
  readonly tokenField: string | null;
  /** Condition under which calls may use a tenant; null: every existing tenant may be used. */
  readonly admits: ((host: Host, self: Row) => Json) | null;
}

/**
 * Objects of one resource (time owners) that may have clocks of their own, apart from the world's clock, and the objects that
 * use these clocks.
 */
export interface TimePlan {
  /** Number of the resource whose objects may have a clock (time owners). */
  readonly resource: number;
  /** Whether time owners belong to no tenant. */
  readonly shared: boolean;
  /** Fields that refer to a time owner, or to an object with such a field, and the resource that each refers to. */
  readonly through: readonly { readonly field: string; readonly resource: number }[];
  /** Name of the error for a call that names objects with different clocks; null: the first object's clock counts. */
  readonly mixed: string | null;
}

/** How the actor of a call is found: an object of a resource. */
export interface ActorPlan {
  /** Number of the resource whose objects are actors. */
  readonly resource: number;
  /** Computes the id of a call's actor; null: the call is anonymous. */
  readonly id: (host: Host, request: RequestInfo) => Json;
}

/** How keys that the world issues are stored and checked: as objects of a resource. */
export interface TokenPlan {
  /** Number of the resource whose objects are tokens. */
  readonly resource: number;
  /** Name of the field that contains the key. */
  readonly field: string;
  /** Condition under which a token's key is valid; null: while the token exists. */
  readonly when: ((host: Host, self: Row) => Json) | null;
  /** For each scope, the scopes that it implies. */
  readonly implies: Readonly<Record<string, readonly string[]>>;
  /** The scopes of a token, as a list or as words of a text; null: each token has all scopes. */
  readonly scopes: ((host: Host, self: Row) => Json) | null;
}
