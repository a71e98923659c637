import type { NamedDuration, Wait } from './waits.js';
import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { TimeFormat } from '../world/index.js';
import type { DeliveryFile } from './files.js';
import type { IdFormat } from './ids.js';
import type { ListSettings } from './lists.js';
import type { RateLimitSettings } from './rate-limits.js';

/** The settings in pack.yaml, with every default filled in and `${vars.x}` replaced in header names. */
/** Extracts the key from the text of a header or parameter; undefined: it contains none. */
export type KeyPattern = (text: string) => string | undefined;

export interface Settings {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly faithfulTo: string;
  /** Host names of the vendor API. */
  readonly hosts: readonly string[];
  readonly time: TimeFormat;
  readonly basePath: string;
  /** Base paths that are accepted besides the main one. */
  readonly otherBasePaths: readonly string[];
  readonly updateMethod: 'POST' | 'PUT' | 'PATCH';
  /** Whether a path with a trailing slash is an unknown route. */
  readonly rejectsSlash: boolean;
  /** Whether a route accepts any HTTP method. */
  readonly anyMethod: boolean;
  /** CORS headers for pages of other origins; null: only calls with publishable keys get CORS headers. */
  readonly cors: { readonly expose: readonly string[]; readonly credentials: boolean } | null;
  readonly durations: ReadonlyMap<string, NamedDuration>;
  readonly auth: {
    /** Schemes of the Authorization header, in lower case. */
    readonly schemes: readonly string[];
    readonly basic: 'user' | 'password' | 'either';
    /** Names of headers that may contain an API key, in lower case, with the prefix before the key. */
    readonly keyHeaders: readonly {
      readonly name: string;
      readonly prefix: string;
      readonly keyIn: KeyPattern | null;
    }[];
    /** Names of parameters that may contain an API key, and of parameters that must accompany the key. */
    readonly keyPlaces: readonly {
      readonly name: string;
      readonly beside: readonly string[];
      readonly keyIn: KeyPattern | null;
    }[];
    /** Whether calls have to be signed. */
    readonly areSigned: boolean;
    readonly keyPrefix: string;
    readonly keyLength: number;
    /** Prefixes of API keys of further kinds, by the name of the kind. */
    readonly others: ReadonlyMap<string, string>;
    /** Prefixes of API keys that have the same rights as the world's own key, by the name of their kind. */
    readonly wholeKeys: ReadonlyMap<string, string>;
    /** Kinds of keys that pages of other origins may use (publishable keys). */
    readonly browserKeys: ReadonlySet<string>;
    /** Parameters that may contain an API key in place of the header, with the kind of that key. */
    readonly keyParameters: ReadonlyMap<string, string>;
  };
  /** How calls select a tenant; null: worlds have no tenants. */
  readonly tenants: {
    readonly resource: string;
    /** The id that means the world's own objects instead of a tenant's; null: none. */
    readonly home: string | null;
    /** Headers that name a tenant, in lower case. */
    readonly headers: readonly string[];
    /** The response header that repeats the tenant's id, as written in pack.yaml; null: none. */
    readonly echo: string | null;
  } | null;
  /** Headers for expressions: name in `request.headers` -> header in lower case. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  /** Parameters for all expressions: name in `request.params`, and name of the parameter. */
  readonly requestParams: readonly (readonly [string, string])[];
  /** Cookies that expressions read and operations set, by their names in `request.cookies`. */
  readonly cookies: ReadonlyMap<string, CookieSettings>;
  /** The format in which bodies without a content type are decoded. */
  readonly requests: 'form' | 'json' | 'xml';
  /** Formats of request bodies that the API decodes, such as `json`. */
  readonly encodings: ReadonlySet<string>;
  /** Whether a body of an unknown content type is decoded like one without a content type. */
  readonly takesOtherTypes: boolean;
  /** Which single values a list parameter accepts as a list of one: texts, or texts and XML maps (`maps`); null: none. */
  readonly singleValues: 'texts' | 'maps' | null;
  /** Size limit of a request body in bytes, for operations that declare none. */
  readonly maxBodyBytes: number;
  /** Whether names of query parameters are case-insensitive. */
  readonly ignoreCase: boolean;
  /** Media types that return JSON; null: the Accept header is ignored. */
  readonly accepts: readonly TextPattern[] | null;
  /** Content type of the API's JSON responses. */
  readonly contentType: string;
  readonly rejectUnknown: boolean;
  /** Path prefixes whose operations reject undeclared parameters even if `rejectUnknown` is off. */
  readonly strictPaths: readonly string[];
  /** Length limit in characters of texts that declare no limit; null: none. */
  readonly longestText: number | null;
  readonly collectProblems: boolean;
  /** Members added to every successful response with one object; null: none. */
  readonly addToResponses: JsonObject | null;
  readonly lists: ListSettings;
  /** Kind of the ETag in responses to GET; null: no ETag. */
  readonly etag: 'strong' | 'weak' | null;
  readonly search: {
    readonly param: string;
    readonly page: string;
    readonly envelope: Json;
    /** Members of the response that are returned only if `expand` names them. */
    readonly onExpand: JsonObject;
    /** Minimum length of a text that the search operator `~` accepts, in characters. */
    readonly shortest: number;
  } | null;
  readonly expansion: {
    readonly param: string;
    readonly maxDepth: number;
    readonly separator: string | null;
    readonly lenient: boolean;
    /** Alternative names of paths in `expand`, with the actual path. */
    readonly aliases: ReadonlyMap<string, string>;
  } | null;
  readonly versions: {
    readonly headers: readonly string[];
    /** The API version of the account. */
    readonly current: string;
    readonly pattern: TextPattern;
    /** The pack's versions: the base version and the others; null: any version name is accepted. */
    readonly list: VersionList | null;
  } | null;
  readonly idempotency: {
    readonly header: string | null;
    /** Name of the parameter that contains the idempotency key if the header is missing; null: none. */
    readonly param: string | null;
    readonly methods: ReadonlySet<string>;
    readonly replayedHeader: string | null;
    /** Name of the response header with the id of the original request; null: none. */
    readonly originalHeader: string | null;
    /** Name of the response header that repeats the idempotency key; null: none. */
    readonly echoHeader: string | null;
    readonly maxLength: number;
    readonly retention: Wait;
    /** Which responses are repeated for the same idempotency key: of all calls that ran, or only of successful ones. */
    readonly keep: 'all' | 'successes';
  } | null;
  /** The rate limits, in the order of pack.yaml. */
  readonly rateLimits: readonly RateLimitSettings[];
  readonly requestId: { readonly ids: IdFormat; readonly header: string | null };
  /** Headers that all responses have. */
  readonly headers: readonly HeaderSettings[];
  /** Headers of pack.yaml that the world leaves out: those for realistic worlds in an ordinary world, and the reverse. */
  readonly otherHeaders: readonly HeaderSettings[];
  /** The order of members in responses; null: as the pack declares them. */
  readonly memberOrder: { readonly first: readonly string[]; readonly sorted: boolean } | null;
  readonly tombstone: Json;
  readonly events: {
    readonly resource: string;
    readonly with: JsonObject;
    /** Name of the hidden event field that stores the event's form in other versions; null: none. */
    readonly renderings: string | null;
    readonly previousAttributes: readonly TextPattern[];
    readonly nullAs: Json;
    /** Kinds of events other than ordinary ones, by name. */
    readonly kinds: ReadonlyMap<string, EventKindSettings>;
  } | null;
  readonly delivery: DeliveryFile | null;
  /** Waits between the attempts of a delivery. */
  readonly retries: readonly Wait[];
  /** Waits between attempts of a delivery, by transport, for transports that declare their own. */
  readonly retriesOf: ReadonlyMap<string, readonly Wait[]>;
}

/** A header of responses, with its location in pack.yaml. */
interface HeaderSettings {
  readonly name: string;
  readonly path: readonly string[];
  readonly value: string;
}

/** Settings of a cookie that the pack declares. */
export interface CookieSettings {
  /** The name of the cookie in the browser. */
  readonly name: string;
  readonly path: string;
  /** The cookie's lifetime in simulated time; null: until the browser is closed. */
  readonly maxAge: Wait | null;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
}

/** A kind of events besides ordinary ones, stored in a resource of its own. */
export interface EventKindSettings {
  readonly name: string;
  readonly resource: string;
  readonly with: JsonObject;
  /** Returns the name, in this kind of events, of the event that reports an ordinary event; null: none reports it. */
  readonly nameFor: (event: string) => string | null;
}

/** The API versions that the pack declares. */
export interface VersionList {
  /** The API version in which the pack's resources are written. */
  readonly base: string;
  /** Names of versions that are served exactly like the base version. */
  readonly same: ReadonlySet<string>;
  /** Versions with changes files, oldest first. */
  readonly newer: readonly string[];
  /** Pattern of older versions, which are served like the base version although the vendor's differ. */
  readonly older: TextPattern | null;
  /** Text at which the ignored end of a version name begins. */
  readonly flags: string | null;
  /** Name of the field whose constant value identifies the kind of an object in responses; null: none. */
  readonly reportedBy: string | null;
}

/** Returns the names of the resources of endpoints. */
export function endpointNames({ endpoint: { resource } }: DeliveryFile): readonly string[] {
  return typeof resource === 'string' ? [resource] : resource;
}

/** Whether an operation at a path rejects undeclared parameters. */
export function rejectsUnknown({ rejectUnknown, strictPaths }: Settings, path: string | undefined): boolean {
  return rejectUnknown || (path !== undefined && strictPaths.some((each) => `${path}/`.startsWith(`${each}/`)));
}
