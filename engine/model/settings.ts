import type { NamedDuration, Wait } from './waits.js';
import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { TimeFormat } from '../world/index.js';
import type { DeliveryFile } from './files.js';
import type { IdFormat } from './ids.js';
import type { ListSettings } from './lists.js';
import type { RateLimitSettings } from './rate-limits.js';

/** The settings in pack.yaml, with every default filled in and `${vars.x}` replaced in header names. */
/** Extracts the key from a text; undefined: there is none. */
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
  /** Alternatives to the base path. */
  readonly otherBasePaths: readonly string[];
  readonly updateMethod: 'POST' | 'PUT' | 'PATCH';
  /** Paths with a trailing slash are unknown. */
  readonly rejectsSlash: boolean;
  /** The vendor accepts any method for a route, whichever its document names. */
  readonly anyMethod: boolean;
  /** CORS for pages of other origins; null: only with publishable keys. */
  readonly cors: { readonly expose: readonly string[]; readonly credentials: boolean } | null;
  readonly durations: ReadonlyMap<string, NamedDuration>;
  readonly auth: {
    /** Schemes of the Authorization header, in lower case. */
    readonly schemes: readonly string[];
    readonly basic: 'user' | 'password' | 'either';
    /** Headers that may contain a key, in lower case, with the text before it. */
    readonly keyHeaders: readonly {
      readonly name: string;
      readonly prefix: string;
      readonly keyIn: KeyPattern | null;
    }[];
    /** Parameters that may contain a key, and those that accompany it. */
    readonly keyPlaces: readonly {
      readonly name: string;
      readonly beside: readonly string[];
      readonly keyIn: KeyPattern | null;
    }[];
    /** Whether callers sign their calls. */
    readonly areSigned: boolean;
    readonly keyPrefix: string;
    readonly keyLength: number;
    /** Prefixes of further kinds of keys, by name. */
    readonly others: ReadonlyMap<string, string>;
    /** Prefixes of kinds of keys with the rights of the world's key, by name. */
    readonly wholeKeys: ReadonlyMap<string, string>;
    /** Kinds of keys that pages of other origins may use (publishable keys). */
    readonly browserKeys: ReadonlySet<string>;
    /** Parameters that may contain a key in place of the header, and the key's kind. */
    readonly keyParameters: ReadonlyMap<string, string>;
  };
  /** How calls select a tenant; null: a world has one owner. */
  readonly tenants: {
    readonly resource: string;
    /** The id that means no tenant; null: none. */
    readonly home: string | null;
    /** Headers that name a tenant, in lower case. */
    readonly headers: readonly string[];
    /** The response header that names it, as written; null: none. */
    readonly echo: string | null;
  } | null;
  /** Headers for expressions: name in `request.headers` -> header in lower case. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  /** Parameters for all expressions: name in `request.params`, and name of the parameter. */
  readonly requestParams: readonly (readonly [string, string])[];
  /** Cookies that expressions read and operations set, by their names in `request.cookies`. */
  readonly cookies: ReadonlyMap<string, CookieSettings>;
  /** The format of bodies without a content type. */
  readonly requests: 'form' | 'json' | 'xml';
  /** The accepted formats of bodies. */
  readonly encodings: ReadonlySet<string>;
  /** Bodies of other types are decoded like those without a content type. */
  readonly takesOtherTypes: boolean;
  /** A single text for a list parameter is a list of one, in XML (`maps`) also a single map; null: it isn't. */
  readonly singleValues: 'texts' | 'maps' | null;
  /** Size limit of a request body, unless its operation has its own. */
  readonly maxBodyBytes: number;
  /** Names of query parameters are case-insensitive. */
  readonly ignoreCase: boolean;
  /** Media types that get the usual JSON; null: the Accept header is ignored. */
  readonly accepts: readonly TextPattern[] | null;
  /** Content type of responses. */
  readonly contentType: string;
  readonly rejectUnknown: boolean;
  /** Paths at or below which undeclared parameters are rejected even if `rejectUnknown` is off. */
  readonly strictPaths: readonly string[];
  /** Length limit of texts without one of their own; null: none. */
  readonly longestText: number | null;
  readonly collectProblems: boolean;
  /** Members added to every successful response with one object; null: none. */
  readonly addToResponses: JsonObject | null;
  readonly lists: ListSettings;
  /** Responses to GET have an ETag; null: no. */
  readonly etag: 'strong' | 'weak' | null;
  readonly search: {
    readonly param: string;
    readonly page: string;
    readonly envelope: Json;
    /** Members that are returned only if `expand` names them. */
    readonly onExpand: JsonObject;
    /** The shortest text that `~` accepts. */
    readonly shortest: number;
  } | null;
  readonly expansion: {
    readonly param: string;
    readonly maxDepth: number;
    readonly separator: string | null;
    readonly lenient: boolean;
    /** Alternative names of paths. */
    readonly aliases: ReadonlyMap<string, string>;
  } | null;
  readonly versions: {
    readonly headers: readonly string[];
    /** The account's version. */
    readonly current: string;
    readonly pattern: TextPattern;
    /** The closed list of versions: the one in which the pack is written, and the others; null: any version is accepted. */
    readonly list: VersionList | null;
  } | null;
  readonly idempotency: {
    readonly header: string | null;
    /** Parameter with the key of calls without the header. */
    readonly param: string | null;
    readonly methods: ReadonlySet<string>;
    readonly replayedHeader: string | null;
    /** Header with the id of the original request. */
    readonly originalHeader: string | null;
    /** Header that repeats the key. */
    readonly echoHeader: string | null;
    readonly maxLength: number;
    readonly retention: Wait;
    /** Which responses are repeated: those of all calls that ran, or only successful ones. */
    readonly keep: 'all' | 'successes';
  } | null;
  /** The rate limits, in the order of pack.yaml. */
  readonly rateLimits: readonly RateLimitSettings[];
  readonly requestId: { readonly ids: IdFormat; readonly header: string | null };
  /** Headers of all responses. */
  readonly headers: readonly HeaderSettings[];
  /** Headers that responses don't have, since worlds are realistic, or since they aren't. */
  readonly otherHeaders: readonly HeaderSettings[];
  /** How members of responses are ordered; null: as the pack writes them. */
  readonly memberOrder: { readonly first: readonly string[]; readonly sorted: boolean } | null;
  readonly tombstone: Json;
  readonly events: {
    readonly resource: string;
    readonly with: JsonObject;
    /** The hidden field of events with their renderings in other versions. */
    readonly renderings: string | null;
    readonly previousAttributes: readonly TextPattern[];
    readonly nullAs: Json;
    /** Events of other kinds, by kind. */
    readonly kinds: ReadonlyMap<string, EventKindSettings>;
  } | null;
  readonly delivery: DeliveryFile | null;
  /** Waits between attempts of a delivery. */
  readonly retries: readonly Wait[];
  /** Waits between attempts, for transports with waits of their own, by the transport's name. */
  readonly retriesOf: ReadonlyMap<string, readonly Wait[]>;
}

/** A header of responses, with its place in pack.yaml. */
interface HeaderSettings {
  readonly name: string;
  readonly path: readonly string[];
  readonly value: string;
}

/** A cookie of the pack. */
export interface CookieSettings {
  /** The name of the cookie in the browser. */
  readonly name: string;
  readonly path: string;
  /** The cookie's lifetime in simulated time; null: until the browser is closed. */
  readonly maxAge: Wait | null;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
}

/** A kind of events other than ordinary ones. */
export interface EventKindSettings {
  readonly name: string;
  readonly resource: string;
  readonly with: JsonObject;
  /** The name of this kind's event that reports an ordinary one; null: it reports none. */
  readonly nameFor: (event: string) => string | null;
}

/** The versions of a pack. */
export interface VersionList {
  /** The version in which resources are written. */
  readonly base: string;
  /** Names of other versions that are served as the base. */
  readonly same: ReadonlySet<string>;
  /** Versions with changes, oldest first; each has a file. */
  readonly newer: readonly string[];
  /** Older versions that are served as the base, although they differ. */
  readonly older: TextPattern | null;
  /** A suffix of a version that begins with this text is ignored. */
  readonly flags: string | null;
  /** The field whose constant distinguishes kinds of objects. */
  readonly reportedBy: string | null;
}

/** The resources of endpoints, by name. */
export function endpointNames({ endpoint: { resource } }: DeliveryFile): readonly string[] {
  return typeof resource === 'string' ? [resource] : resource;
}

/** Whether an operation at a path rejects undeclared parameters. */
export function rejectsUnknown({ rejectUnknown, strictPaths }: Settings, path: string | undefined): boolean {
  return rejectUnknown || (path !== undefined && strictPaths.some((each) => `${path}/`.startsWith(`${each}/`)));
}
