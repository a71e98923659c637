import { type Json, type JsonObject, type TextPattern, packPattern } from '../values/index.js';
import { parseDuration, type TimeFormat } from '../world/index.js';
import type { DeliveryFile, PackFile } from './files.js';
import { type IdFormat, idFormat, PLAIN_ID } from './ids.js';
import { inside, type Diagnostics, type SourceLocation } from './diagnostics.js';
import { isHeaderName } from './header-text.js';
import { type RateLimitSettings, readRateLimits } from './rate-limits.js';
import { type ListSettings, readLists } from './lists.js';

/** A named wait of the pack. */
export interface NamedDuration {
  readonly name: string;
  /** Null: it never ends, unless a test sets it. */
  readonly defaultMs: number | null;
  readonly description: string;
}

/** A wait: so many milliseconds, or as long as a named duration says. */
export type Wait = number | NamedDuration;

/** What pack.yaml says, with every default filled in and `${vars.x}` replaced in header names. */
export interface Settings {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly faithfulTo: string;
  /** Names of the machines where the vendor's API answers. */
  readonly hosts: readonly string[];
  readonly time: TimeFormat;
  readonly basePath: string;
  readonly updateMethod: 'POST' | 'PUT' | 'PATCH';
  /** A path with a slash at its end is none of the pack's. */
  readonly rejectsSlash: boolean;
  readonly durations: ReadonlyMap<string, NamedDuration>;
  readonly auth: {
    /** Words of the Authorization header, in lower case. */
    readonly schemes: readonly string[];
    readonly basic: 'user' | 'password' | 'either';
    /** Headers that may carry a key, in lower case, with the text before it. */
    readonly keyHeaders: readonly { readonly name: string; readonly prefix: string }[];
    /** Parameters that may carry a key, and those that come beside it. */
    readonly keyPlaces: readonly { readonly name: string; readonly beside: readonly string[] }[];
    readonly keyPrefix: string;
    readonly keyLength: number;
    /** Prefixes of further keys by name. */
    readonly others: ReadonlyMap<string, string>;
    /** Prefixes of keys that open all that the world's key opens. */
    readonly wholeKeys: readonly string[];
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
    /** The header that answers name it in, as it is written; null: none. */
    readonly echo: string | null;
  } | null;
  /** Headers that expressions read: name in `request.headers` -> header in lower case. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  /** What a body is that does not say. */
  readonly requests: 'form' | 'json';
  /** What bodies may be. */
  readonly encodings: ReadonlySet<string>;
  /** Names of query parameters are read whatever their case. */
  readonly ignoreCase: boolean;
  /** Content type of responses. */
  readonly contentType: string;
  readonly rejectUnknown: boolean;
  readonly collectProblems: boolean;
  /** Keys added to every successful response that is one object; null: none. */
  readonly addToResponses: JsonObject | null;
  readonly lists: ListSettings;
  /** Answers to GET carry an ETag; null: they do not. */
  readonly etag: 'strong' | 'weak' | null;
  readonly search: {
    readonly param: string;
    readonly page: string;
    readonly envelope: Json;
    /** Members that are only answered when a path of the expansion names them. */
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
    /** Where the list of versions is closed: what the pack is written in, and what else it knows; null: any is taken. */
    readonly list: VersionList | null;
  } | null;
  readonly idempotency: {
    readonly header: string;
    readonly methods: ReadonlySet<string>;
    readonly replayedHeader: string | null;
    /** Header with the id of the request that was answered first. */
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
    readonly previousAttributes: TextPattern | null;
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

/** Events of another kind. */
export interface EventKindSettings {
  readonly name: string;
  readonly resource: string;
  readonly with: JsonObject;
  /** The name under which it tells an ordinary event too; null: it does not. */
  readonly nameFor: (event: string) => string | null;
}

/** The versions that a pack knows. */
export interface VersionList {
  /** The version that resources are written in. */
  readonly base: string;
  /** Others that are answered as the base. */
  readonly same: ReadonlySet<string>;
  /** Those that changed something, oldest first; each has a file. */
  readonly newer: readonly string[];
  /** Older ones that are answered as the base, though they differ. */
  readonly older: TextPattern | null;
  /** What begins at this text is no part of a name. */
  readonly flags: string | null;
  /** The field whose constant tells kinds of objects apart. */
  readonly reportedBy: string | null;
}

const DAY = 86_400_000;

/** Fills in what pack.yaml leaves out. `fill` replaces `${vars.x}`. */
export function readSettings(
  file: PackFile,
  place: SourceLocation,
  diagnostics: Diagnostics,
  fill: (text: string) => string,
): Settings {
  const { lists, expansion, versions, idempotency, events } = file;
  const wait = (text: string, ...path: string[]): number => {
    const ms = parseDuration(text);
    if (ms === undefined)
      diagnostics.problem(
        inside(place, ...path),
        'invalid-value',
        `'${text}' is not a duration (such as 60s, 1d12h or 0s)`,
      );
    return ms ?? 0;
  };
  const durations = new Map<string, NamedDuration>();
  for (const [name, each] of Object.entries(file.durations ?? {})) {
    const short = typeof each === 'string';
    const text = short ? each : each.default;
    const defaultMs = text === 'none' ? null : wait(text, 'durations', name, ...(short ? [] : ['default']));
    durations.set(name, { name, defaultMs, description: short ? '' : (each.description ?? '') });
  }
  const namedWait = (text: string, ...path: (string | number)[]): Wait => {
    const named = durations.get(text);
    if (named) return named;
    const ms = parseDuration(text);
    if (ms === undefined) diagnostics.unknown(inside(place, ...path), 'duration', text, durations.keys());
    return ms ?? 0;
  };
  /** The name of a header, with the variables in it. */
  function headerName<T extends string | undefined>(
    text: T,
    ...path: string[]
  ): T extends string ? string : string | null;
  function headerName(text: string | undefined, ...path: string[]): string | null {
    if (text === undefined) return null;
    const name = fill(text);
    if (!isHeaderName(name))
      diagnostics.problem(inside(place, ...path), 'invalid-value', `'${name}' cannot be the name of a header`, {
        at: path[0] === 'headers' ? 'key' : 'value',
      });
    return name;
  }
  const requests = file.encoding?.requests ?? 'json';
  const encodings = typeof requests === 'string' ? [requests] : requests;
  const headers = Object.entries(file.headers ?? {}).map(([key, value]) => ({
    name: headerName(key, 'headers', key),
    key,
    value,
  }));
  const further = Object.entries(file.auth?.others ?? {});
  const others = further.filter(([, { whole }]) => whole !== true);
  const { tenants } = file;
  const keyPlaces = file.auth?.places ?? [];
  return {
    name: file.name,
    title: file.title ?? file.name,
    version: file.version,
    faithfulTo: file.faithful_to ?? '',
    hosts: file.hosts ?? [],
    time: file.timestamps ?? 'iso8601',
    basePath: file.base_path ?? '',
    updateMethod: file.routes?.update ?? 'PATCH',
    rejectsSlash: file.routes?.slash_at_end === 'refuse',
    durations,
    auth: {
      schemes: [
        ...(file.auth?.schemes ?? (file.auth?.places ? [] : ['bearer'])),
        ...keyPlaces.flatMap(({ scheme }) => (scheme === undefined ? [] : [scheme.toLowerCase()])),
      ],
      basic: file.auth?.basic ?? 'user',
      keyHeaders: keyPlaces.flatMap(({ header, prefix = '' }) =>
        header === undefined ? [] : [{ name: fill(header).toLowerCase(), prefix }],
      ),
      keyPlaces: keyPlaces.flatMap(({ parameter, beside = [] }) =>
        parameter === undefined ? [] : [{ name: parameter, beside }],
      ),
      keyPrefix: file.auth?.key?.prefix ?? 'key_',
      keyLength: file.auth?.key?.random ?? 24,
      others: new Map(others.map(([name, { prefix }]) => [name, prefix])),
      wholeKeys: further.flatMap(([, { whole, prefix }]) => (whole === true ? [prefix] : [])),
      browserKeys: new Set(others.flatMap(([name, { browsers }]) => (browsers === true ? [name] : []))),
      keyParameters: new Map(
        others.flatMap(([name, { parameter }]) => (parameter === undefined ? [] : [[parameter, name] as const])),
      ),
    },
    tenants: tenants
      ? {
          resource: tenants.resource,
          home: tenants.home === undefined ? null : fill(tenants.home),
          headers: [
            ...new Set(
              (tenants.headers ?? []).map((name, at) =>
                headerName(name, 'tenants', 'headers', String(at)).toLowerCase(),
              ),
            ),
          ],
          echo: tenants.echo === true && tenants.headers ? fill(tenants.headers[0]) : null,
        }
      : null,
    requestHeaders: new Map(
      Object.entries(file.request_headers ?? {}).map(([name, header]) => [name, header.toLowerCase()]),
    ),
    requests: encodings.find((each) => each !== 'multipart') ?? 'json',
    encodings: new Set(encodings),
    ignoreCase: file.encoding?.ignore_case ?? false,
    contentType: file.encoding?.responses ?? 'application/json',
    rejectUnknown: (file.validation?.unknown_parameters ?? 'refuse') === 'refuse',
    collectProblems: file.validation?.collect ?? false,
    addToResponses: file.answers?.add ?? null,
    lists: readLists([lists ?? {}]),
    etag: file.answers?.etag ?? null,
    search: file.search
      ? {
          param: file.search.param ?? 'query',
          page: file.search.page ?? 'page',
          shortest: file.search.shortest ?? 1,
          envelope: file.search.envelope ?? lists?.envelope ?? {},
          onExpand: file.search.on_expand ?? {},
        }
      : null,
    expansion: expansion
      ? {
          param: expansion.param,
          maxDepth: expansion.max_depth ?? 4,
          separator: expansion.separator ?? null,
          lenient: expansion.lenient ?? false,
          aliases: new Map(Object.entries(expansion.aliases ?? {})),
        }
      : null,
    versions: versions
      ? {
          headers: [fill(versions.header), ...(versions.aliases ?? [])].map((name) => name.toLowerCase()),
          current: fill(versions.current),
          pattern: packPattern(versions.pattern ?? `^${fill(versions.current).replaceAll('.', '\\.')}$`),
          list: readVersionList(versions),
        }
      : null,
    idempotency: idempotency
      ? {
          header: headerName(idempotency.header, 'idempotency', 'header').toLowerCase(),
          methods: new Set(idempotency.methods ?? ['POST']),
          replayedHeader: headerName(idempotency.replayed_header, 'idempotency', 'replayed_header'),
          originalHeader: headerName(idempotency.original_header, 'idempotency', 'original_header'),
          echoHeader: idempotency.echo === true ? headerName(idempotency.header, 'idempotency', 'header') : null,
          maxLength: idempotency.max_length ?? 255,
          keep: idempotency.keep ?? 'all',
          retention:
            idempotency.retention === undefined ? DAY : namedWait(idempotency.retention, 'idempotency', 'retention'),
        }
      : null,
    rateLimits: readRateLimits(file, place, diagnostics, namedWait),
    requestId: {
      ids: requestIds(file, place, diagnostics, fill),
      header: headerName(file.request_id?.header, 'request_id', 'header'),
    },
    headers,
    tombstone: file.tombstone ?? { id: '${self.id}', deleted: true },
    events: events
      ? {
          resource: events.resource,
          with: events.with,
          renderings: events.renderings ?? null,
          previousAttributes: events.previous_attributes === undefined ? null : glob(events.previous_attributes),
          nullAs: events.snapshot?.null_as ?? null,
          kinds: new Map(Object.entries(events.kinds ?? {}).map(([name, each]) => [name, readKind(name, each)])),
        }
      : null,
    delivery: file.delivery ?? null,
    retries: (file.delivery?.retries ?? []).map((each, index) => namedWait(each, 'delivery', 'retries', index)),
    retriesOf: new Map(
      Object.entries(file.delivery?.transports ?? {}).flatMap(([name, { retries }]) =>
        retries === undefined
          ? []
          : [
              [
                name,
                retries.map((each, at) => namedWait(each, 'delivery', 'transports', name, 'retries', at)),
              ] as const,
            ],
      ),
    ),
  };
}

function readKind(
  name: string,
  { resource, with: fields, reports }: NonNullable<NonNullable<PackFile['events']>['kinds']>[string],
): EventKindSettings {
  const except = (reports?.except ?? []).map(glob);
  const isReported = (event: string): boolean =>
    reports !== undefined && !except.some((pattern) => pattern.test(event));
  return {
    name,
    resource,
    with: fields,
    nameFor: (event) => (isReported(event) ? `${reports?.prefix ?? ''}${event}` : null),
  };
}

function readVersionList(file: NonNullable<PackFile['versions']>): VersionList | null {
  const { base, same = [], newer = [], older, flags, told_by: reportedBy } = file;
  if (base === undefined) return null;
  return {
    base,
    same: new Set(same),
    newer,
    older: older === undefined ? null : packPattern(older),
    flags: flags ?? null,
    reportedBy: reportedBy ?? null,
  };
}

function requestIds(
  file: PackFile,
  place: SourceLocation,
  diagnostics: Diagnostics,
  fill: (text: string) => string,
): IdFormat {
  const name = file.request_id?.format;
  const format = name === undefined ? PLAIN_ID : file.ids?.[name];
  if (!format)
    diagnostics.unknown(inside(place, 'request_id', 'format'), 'id-format', String(name), Object.keys(file.ids ?? {}));
  return idFormat(file.request_id?.prefix ?? 'req_', format ?? PLAIN_ID, fill);
}

/** The resources of endpoints, by their names. */
export function endpointNames({ endpoint: { resource } }: DeliveryFile): readonly string[] {
  return typeof resource === 'string' ? [resource] : resource;
}

/** A pattern of names: `*` stands for any characters. Takes time that is linear in both for what people write. */
export function glob(pattern: string): TextPattern {
  const [first, ...others] = pattern.split('*');
  const last = others.pop();
  const middle = others.filter((part) => part !== '');
  const test = (text: string): boolean => {
    if (last === undefined) return text === first;
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The leftmost place for each part leaves the most room for those behind it.
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
  return { source: pattern, test };
}
