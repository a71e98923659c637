import { LIMITS } from '../limits.js';
import { packPattern, sizeBytes, automatonOf, lazy } from '../values/index.js';
import { parseDuration } from '../world/index.js';
import { inside, keyIn, type Diagnostics, type SourceLocation } from './diagnostics.js';
import type { PackFile } from './files.js';
import { glob } from './glob.js';
import { isHeaderName } from './header-name.js';
import { type IdFormat, idFormat, PLAIN_ID } from './ids.js';
import { readLists } from './lists.js';
import { readRateLimits } from './rate-limits.js';
import { isRealistic } from './realistic.js';
import type { CookieSettings, EventKindSettings, Settings, VersionList, KeyPattern } from './settings.js';
import type { NamedDuration, Wait } from './waits.js';

const DAY = 86_400_000;

/** Reads pack.yaml with defaults. `fill` replaces `${vars.x}`. */
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
  /** Replaces variables in a header's name. */
  function headerName<T extends string | undefined>(
    text: T,
    ...path: string[]
  ): T extends string ? string : string | null;
  function headerName(text: string | undefined, ...path: string[]): string | null {
    if (text === undefined) return null;
    const name = fill(text);
    if (!isHeaderName(name))
      diagnostics.problem(
        path.at(-2) === 'headers' && !path.includes('tenants') ? keyIn(place, ...path) : inside(place, ...path),
        'invalid-value',
        `'${name}' cannot be the name of a header`,
      );
    return name;
  }
  const requests = file.encoding?.requests ?? 'json';
  const encodings = typeof requests === 'string' ? [requests] : requests;
  const requestIdHeader = headerName(file.request_id?.header, 'request_id', 'header');
  const looksReal = isRealistic(fill);
  const omitted = new Set(looksReal ? (file.realistic?.without ?? []).map((name) => fill(name).toLowerCase()) : []);
  const named = (all: Readonly<Record<string, string>>, ...path: string[]) =>
    Object.entries(all).map(([key, value]) => ({
      name: headerName(key, ...path, key),
      path: [...path, key],
      value,
    }));
  const realistic = named(file.realistic?.headers ?? {}, 'realistic', 'headers');
  const usual = named(file.headers ?? {}, 'headers');
  const sent = usual.filter(({ name }) => !omitted.has(name.toLowerCase()));
  const further = Object.entries(file.auth?.others ?? {});
  const others = further.filter(([, { whole }]) => whole !== true);
  const [basePath = '', ...otherBasePaths] = [file.base_path ?? ''].flat();
  const { tenants } = file;
  const keyPlaces = file.auth?.places ?? [];
  return {
    name: file.name,
    title: file.title ?? file.name,
    version: file.version,
    faithfulTo: file.faithful_to ?? '',
    hosts: file.hosts ?? [],
    time: file.timestamps ?? 'iso8601',
    basePath,
    otherBasePaths,
    updateMethod: file.routes?.update ?? 'PATCH',
    rejectsSlash: file.routes?.slash_at_end === 'refuse',
    anyMethod: file.routes?.methods === 'any',
    cors:
      file.cors === undefined
        ? null
        : { expose: (file.cors.expose ?? []).map((name) => fill(name)), credentials: file.cors.credentials === true },
    durations,
    auth: {
      schemes: [
        ...(file.auth?.schemes ?? (file.auth?.places ? [] : ['bearer'])),
        ...keyPlaces.flatMap(({ scheme }) => (scheme === undefined ? [] : [scheme.toLowerCase()])),
      ],
      basic: file.auth?.basic ?? 'user',
      keyHeaders: keyPlaces.flatMap(({ header, prefix = '', pattern }) =>
        header === undefined ? [] : [{ name: fill(header).toLowerCase(), prefix, keyIn: keyPattern(pattern) }],
      ),
      keyPlaces: keyPlaces.flatMap(({ parameter, beside = [], pattern }) =>
        parameter === undefined ? [] : [{ name: parameter, beside, keyIn: keyPattern(pattern) }],
      ),
      areSigned: file.auth?.signatures !== undefined,
      keyPrefix: file.auth?.key?.prefix ?? 'key_',
      keyLength: file.auth?.key?.random ?? 24,
      others: new Map(others.map(([name, { prefix }]) => [name, prefix])),
      wholeKeys: new Map(
        further.flatMap(([name, { whole, prefix }]) => (whole === true ? [[name, prefix] as const] : [])),
      ),
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
    requestParams: Object.entries(file.request_params ?? {}),
    requestHeaders: new Map(
      Object.entries(file.request_headers ?? {}).map(([name, header]) => [name, header.toLowerCase()]),
    ),
    cookies: readCookieSettings(file, place, diagnostics, namedWait),
    requests: encodings.find((each) => each !== 'multipart') ?? 'json',
    encodings: new Set(encodings),
    takesOtherTypes: file.encoding?.other_types ?? false,
    singleValues: encodings[0] === 'xml' ? 'maps' : file.encoding?.single_values === true ? 'texts' : null,
    maxBodyBytes: file.encoding?.max_body === undefined ? LIMITS.body.value : sizeBytes(file.encoding.max_body),
    ignoreCase: file.encoding?.ignore_case ?? false,
    accepts: file.encoding?.accepts?.map(glob) ?? null,
    contentType: file.encoding?.responses ?? 'application/json',
    rejectUnknown: (file.validation?.unknown_parameters ?? 'refuse') === 'refuse',
    strictPaths: file.validation?.refuse_below ?? [],
    longestText: file.validation?.longest_text ?? null,
    collectProblems: file.validation?.collect ?? false,
    addToResponses: file.answers?.add ?? null,
    lists: readLists([lists ?? {}], fill),
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
          header: headerName(idempotency.header, 'idempotency', 'header')?.toLowerCase() ?? null,
          param: idempotency.param ?? null,
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
      header: requestIdHeader === null || omitted.has(requestIdHeader.toLowerCase()) ? null : requestIdHeader,
    },
    headers: looksReal ? [...sent, ...realistic] : sent,
    otherHeaders: looksReal ? usual.filter((each) => !sent.includes(each)) : realistic,
    memberOrder: looksReal ? memberOrder(file.realistic) : null,
    tombstone: file.tombstone ?? { id: '${self.id}', deleted: true },
    events: events
      ? {
          resource: events.resource,
          with: events.with,
          renderings: events.renderings ?? null,
          previousAttributes: [events.previous_attributes ?? []].flat().map(glob),
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

function readCookieSettings(
  { cookies = {} }: PackFile,
  place: SourceLocation,
  diagnostics: Diagnostics,
  namedWait: (text: string, ...path: (string | number)[]) => Wait,
): Settings['cookies'] {
  const names = new Set<string>();
  const read = Object.entries(cookies).map(([key, each]): [string, CookieSettings] => {
    const { name = key, path = '/', max_age: maxAge, http_only: httpOnly = true, same_site: sameSite = 'lax' } = each;
    if (names.has(name))
      diagnostics.problem(keyIn(place, 'cookies', key), 'duplicate-key', `another cookie is called '${name}'`);
    names.add(name);
    const wait = maxAge === undefined ? null : namedWait(maxAge, 'cookies', key, 'max_age');
    return [key, { name, path, maxAge: wait, httpOnly, sameSite }];
  });
  return new Map(read);
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

function memberOrder({ members_first: first = [], members_sorted: sorted = false }: PackFile['realistic'] = {}) {
  return first.length > 0 || sorted ? { first, sorted } : null;
}

/**
 * Extracts a key from a header or parameter: the first group of a pattern. A text without blanks that doesn't match the pattern
 * is a key by itself, as in the sandbox's own calls. Null without a pattern.
 */
function keyPattern(source: string | undefined): KeyPattern | null {
  if (source === undefined) return null;
  // Compiled on first use. Linking has reported invalid patterns by then.
  const automaton = lazy(() => automatonOf(source));
  return (text) => {
    const found = automaton().matcher(text);
    if (found.find()) return found.group(found.groupCount() > 0 ? 1 : 0) ?? undefined;
    return text === '' || /\s/.test(text) ? undefined : text;
  };
}
