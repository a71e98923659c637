import type { NamedDuration, Wait } from './waits.js';
import type { Json, JsonObject, TextPattern } from '../values/index.js';
import type { TimeFormat } from '../world/index.js';
import type { DeliveryFile } from './files.js';
import type { IdFormat } from './ids.js';
import type { ListSettings } from './lists.js';
import type { RateLimitSettings } from './rate-limits.js';

/** What pack.yaml says, with every default filled in and `${vars.x}` replaced in header names. */
/** The key inside of a text; undefined: there is none. */
export type KeyPattern = (text: string) => string | undefined;

export interface Settings {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly faithfulTo: string;
  /** Names of the machines where the vendor's API is served. */
  readonly hosts: readonly string[];
  readonly time: TimeFormat;
  readonly basePath: string;
  /** Where routes that begin with it are served too. */
  readonly otherBasePaths: readonly string[];
  readonly updateMethod: 'POST' | 'PUT' | 'PATCH';
  /** A path with a slash at its end is none of the pack's. */
  readonly rejectsSlash: boolean;
  /** The vendor takes a call with any method, whichever its document names. */
  readonly anyMethod: boolean;
  /** Pages of other origins that may call the API; null: those with a key for browsers only. */
  readonly cors: { readonly expose: readonly string[]; readonly credentials: boolean } | null;
  readonly durations: ReadonlyMap<string, NamedDuration>;
  readonly auth: {
    /** Words of the Authorization header, in lower case. */
    readonly schemes: readonly string[];
    readonly basic: 'user' | 'password' | 'either';
    /** Headers that may carry a key, in lower case, with the text before it. */
    readonly keyHeaders: readonly {
      readonly name: string;
      readonly prefix: string;
      readonly keyIn: KeyPattern | null;
    }[];
    /** Parameters that may carry a key, and those that come beside it. */
    readonly keyPlaces: readonly {
      readonly name: string;
      readonly beside: readonly string[];
      readonly keyIn: KeyPattern | null;
    }[];
    /** Callers sign what they send. */
    readonly areSigned: boolean;
    readonly keyPrefix: string;
    readonly keyLength: number;
    /** Prefixes of further keys by name. */
    readonly others: ReadonlyMap<string, string>;
    /** Prefixes of keys that open all that the world's key opens, by name. */
    readonly wholeKeys: ReadonlyMap<string, string>;
    /** Names of those that pages of other origins may call with. */
    readonly browserKeys: ReadonlySet<string>;
    /** Parameters that may carry a key instead of the header -> its name. */
    readonly keyParameters: ReadonlyMap<string, string>;
  };
  /** How calls name the tenant that they are about; null: a world has one owner. */
  readonly tenants: {
    readonly resource: string;
    /** The id that stands for no tenant; null: none does. */
    readonly home: string | null;
    /** In lower case. */
    readonly headers: readonly string[];
    /** The header that responses name it in, as it is written; null: none. */
    readonly echo: string | null;
  } | null;
  /** Headers that expressions read: name in `request.headers` -> header in lower case. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  /** Parameters that all expressions read: name in `request.params` and name of the parameter. */
  readonly requestParams: readonly (readonly [string, string])[];
  /** Cookies that expressions read and operations set, by their names in `request.cookies`. */
  readonly cookies: ReadonlyMap<string, CookieSettings>;
  /** What a body is that does not say. */
  readonly requests: 'form' | 'json' | 'xml';
  /** What bodies may be. */
  readonly encodings: ReadonlySet<string>;
  /** Bodies of other types are read as those that do not say. */
  readonly takesOtherTypes: boolean;
  /** A single text of a list parameter is a list of one, in XML (`maps`) a single map too; null: it is not. */
  readonly singleValues: 'texts' | 'maps' | null;
  /** The largest body of a request, unless its operation has a limit of its own. */
  readonly maxBodyBytes: number;
  /** Names of query parameters are read whatever their case. */
  readonly ignoreCase: boolean;
  /** Media types that get the usual JSON; null: every call gets what there is, whatever it accepts. */
  readonly accepts: readonly TextPattern[] | null;
  /** Content type of responses. */
  readonly contentType: string;
  readonly rejectUnknown: boolean;
  /** Paths at or below which undeclared parameters are rejected, even where `rejectUnknown` is off. */
  readonly strictPaths: readonly string[];
  /** Characters of a text that says nothing of its own length; null: any number. */
  readonly longestText: number | null;
  readonly collectProblems: boolean;
  /** Keys added to every successful response that is one object; null: none. */
  readonly addToResponses: JsonObject | null;
  readonly lists: ListSettings;
  /** Responses to GET carry an ETag; null: they do not. */
  readonly etag: 'strong' | 'weak' | null;
  readonly search: {
    readonly param: string;
    readonly page: string;
    readonly envelope: Json;
    /** Members that are only returned when a path of the expansion names them. */
    readonly onExpand: JsonObject;
    /** The shortest text that `~` looks for. */
    readonly shortest: number;
  } | null;
  readonly expansion: {
    readonly param: string;
    readonly maxDepth: number;
    readonly separator: string | null;
    readonly lenient: boolean;
    /** Other names of paths. */
    readonly aliases: ReadonlyMap<string, string>;
  } | null;
  readonly versions: {
    readonly headers: readonly string[];
    /** The account's. */
    readonly current: string;
    readonly pattern: TextPattern;
    /** Where the list of versions is closed: what the pack is written in, and what else it has; null: any is taken. */
    readonly list: VersionList | null;
  } | null;
  readonly idempotency: {
    readonly header: string;
    readonly methods: ReadonlySet<string>;
    readonly replayedHeader: string | null;
    /** Header with the id of the request that was served first. */
    readonly originalHeader: string | null;
    /** Header that repeats the key. */
    readonly echoHeader: string | null;
    readonly maxLength: number;
    readonly retention: Wait;
    /** Which responses a repeated key gets again: of every call that ran, or of successful ones only. */
    readonly keep: 'all' | 'successes';
  } | null;
  /** In the order of pack.yaml. */
  readonly rateLimits: readonly RateLimitSettings[];
  readonly requestId: { readonly ids: IdFormat; readonly header: string | null };
  /** By their names; `key` is what pack.yaml calls them. */
  readonly headers: readonly { readonly name: string; readonly key: string; readonly value: string }[];
  readonly tombstone: Json;
  readonly events: {
    readonly resource: string;
    readonly with: JsonObject;
    /** The hidden field of events as endpoints of other versions get them. */
    readonly renderings: string | null;
    readonly previousAttributes: readonly TextPattern[];
    readonly nullAs: Json;
    /** Events of other kinds, by the kind. */
    readonly kinds: ReadonlyMap<string, EventKindSettings>;
  } | null;
  readonly delivery: DeliveryFile | null;
  /** Waits between attempts of a delivery. */
  readonly retries: readonly Wait[];
  /** The same of transports that have waits of their own, by name. */
  readonly retriesOf: ReadonlyMap<string, readonly Wait[]>;
}

/** A cookie of the pack. */
export interface CookieSettings {
  /** Its name in the browser. */
  readonly name: string;
  readonly path: string;
  /** How long it lasts, in simulated time; null: until the browser ends. */
  readonly maxAge: Wait | null;
  readonly httpOnly: boolean;
  readonly sameSite: 'lax' | 'strict' | 'none';
}

/** Events of another kind. */
export interface EventKindSettings {
  readonly name: string;
  readonly resource: string;
  readonly with: JsonObject;
  /** The name under which it carries an ordinary event too; null: it does not. */
  readonly nameFor: (event: string) => string | null;
}

/** The versions of a pack. */
export interface VersionList {
  /** The version that resources are written in. */
  readonly base: string;
  /** Others that are served as the base. */
  readonly same: ReadonlySet<string>;
  /** Those that changed something, oldest first; each has a file. */
  readonly newer: readonly string[];
  /** Older ones that are served as the base, though they differ. */
  readonly older: TextPattern | null;
  /** What begins at this text is no part of a name. */
  readonly flags: string | null;
  /** The field whose constant distinguishes kinds of objects. */
  readonly reportedBy: string | null;
}

/** The resources of endpoints, by their names. */
export function endpointNames({ endpoint: { resource } }: DeliveryFile): readonly string[] {
  return typeof resource === 'string' ? [resource] : resource;
}

/** Whether an operation at a path rejects parameters that nothing declares. */
export function rejectsUnknown({ rejectUnknown, strictPaths }: Settings, path: string | undefined): boolean {
  return rejectUnknown || (path !== undefined && strictPaths.some((each) => `${path}/`.startsWith(`${each}/`)));
}
