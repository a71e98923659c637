import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { Operation } from '../../engine/program/index.js';
import { keyHeaders, type Sandbox } from '../../engine/index.js';
import { bodyDifferences, bodyOf, bytesOf, type WireBody } from './body-differences.js';
import { eventsIn, isStream, multipartOf, partsOf, textIn } from './bodies.js';
import { type RecordingDifference, pairs, pathPattern, type Setting, settingsOf } from './compare.js';
import { decodedPart, RecordedIds, idKind, renamed } from './ids.js';
import { isMissing, presumesMore } from './presumed-ids.js';
import type { Recorded } from './read.js';
import type { RecordingSource, RulesFile } from './rules.js';

/** The result of a recorded call. */
export type Result =
  | {
      readonly kind: 'replayed';
      readonly operation: string;
      readonly call: string;
      readonly status: readonly [number, number];
      readonly differences: readonly RecordingDifference[];
      readonly exchange: PlayedExchange;
    }
  | { readonly kind: 'left out'; readonly why: Why; readonly call: string };

/** A recorded call, with its placeholders filled in, and the pack's response. */
export interface PlayedExchange {
  readonly recorded: Recorded;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Why =
  | 'another host'
  | 'outside the pack'
  | 'another account'
  | 'a key that was not accepted'
  | 'a limit of the vendor'
  | 'an object from before the recording';

/** Maximum number of retries of a call, each without one rejected parameter. */
const MOST_TRIES = 4;
/** Maximum advance of the clock between two calls; after a longer pause, a new world is used. */
const MOST_MOVE_MS = 40 * 86_400_000;

/** Milliseconds after which the events so far of an open stream are compared. */
const STREAM_TIMEOUT_MS = 60_000;

const EVERYTHING: Setting = { path: /./, either: null };

/** Replays recordings against a served pack, each in its own world. */
export class Player {
  readonly #random: readonly RegExp[];
  readonly #settings: readonly Setting[];
  readonly #later: readonly RegExp[];

  constructor(
    private readonly sandbox: Sandbox,
    private readonly rules: RulesFile,
  ) {
    this.#random = rules.random.map(pathPattern);
    this.#settings = settingsOf(rules.settings);
    this.#later = (rules.later ?? []).map(pathPattern);
  }

  /** Replays a recording and compares each response. @param account seed data of the recorded account */
  async play(recording: readonly Recorded[], account: RecordingSource['account'] = {}): Promise<Result[]> {
    const results: Result[] = [];
    for (const take of takesOf(recording.map((call) => this.#filledIn(call)))) {
      const ids = new RecordedIds();
      const sent = new Set<string>();
      await this.#begin(take.map(timeOf).find((at) => at !== null) ?? Date.parse(this.rules.version.from), account);
      for (const call of take) results.push(await this.#play(call, ids, sent));
    }
    return results;
  }

  async #begin(at: number, account: NonNullable<RecordingSource['account']>): Promise<void> {
    const { control } = this.sandbox;
    const t0 = new Date(Math.floor(at / 1000) * 1000).toISOString();
    await control.reset({ t0 });
    const begin = JSON.parse(JSON.stringify(this.rules.begin).replaceAll('${day}', t0.slice(0, 10))) as JsonObject;
    const common = begin['account'];
    const seed = common === undefined ? begin : { ...begin, account: { ...(common as JsonObject), ...account } };
    if (Object.keys(seed).length > 0) await control.call('POST', '/seed', seed);
  }

  async #play(call: Recorded, ids: RecordedIds, sent: Set<string>): Promise<Result> {
    const said = `${call.method} ${call.url.pathname}`;
    const leftOut = (why: Why): Result => ({ kind: 'left out', why, call: said });
    if (!this.rules.hosts.includes(call.url.hostname)) return leftOut('another host');
    if (this.rules.account.header in call.headers) return leftOut('another account');
    const operation = this.#operationOf(call);
    if (!operation) return leftOut('outside the pack');
    if (call.status === 401) return leftOut('a key that was not accepted');
    if (call.status === 429) return leftOut('a limit of the vendor');
    if (presumesMore(call, operation, ids, sent)) return leftOut('an object from before the recording');
    for (const value of formValues(call.body)) sent.add(value);
    await this.#moveTo(timeOf(call));
    const found: RecordingDifference[] = [];
    let response = await this.#send(call, ids, []);
    for (let without: string[] = []; without.length < MOST_TRIES;) {
      const param = call.status < 400 ? rejectedIn(response.body) : null;
      if (param === null || without.includes(param)) break;
      found.push({
        path: `parameter ${param.replace(/\[\d+\]/g, '[*]')}`,
        recorded: 'accepted',
        ours: 'refused',
        expected: null,
        kind: 'missing',
      });
      without = [...without, param];
      response = await this.#send(call, ids, without);
    }
    if (call.status < 400 && isMissing(response.body, ids)) return leftOut('an object from before the recording');
    const recorded = bodyOf(call.responseHeaders['content-type'], call.bytes ?? Buffer.from(call.text));
    for (const [theirs, ours, key] of pairs(recorded.value, response.body))
      ids.addId(theirs, ours, key, call.url.pathname);
    if (call.status !== response.status) {
      const why =
        isObject(response.body) && isObject(response.body['error'])
          ? `${response.status} ${String(response.body['error']['message'])}`
          : String(response.status);
      found.push({
        path: 'status',
        recorded: String(call.status),
        ours: why.replace(/[a-z]+_[0-9A-Za-z]{14,}/g, 'id').slice(0, 120),
        expected: null,
        kind: 'value',
      });
    } else
      found.push(
        ...bodyDifferences(recorded, response, {
          random: this.#random,
          later: this.#later,
          settings: this.rules.of_account.includes(operation.key) ? [EVERYTHING] : this.#settings,
          ids,
          names: ids.names,
          isEcho: echoOf(call),
          ...this.#ageOf(call),
        }),
      );
    return {
      kind: 'replayed',
      operation: operation.key,
      call: said,
      status: [call.status, response.status],
      differences: found,
      exchange: {
        recorded: call,
        status: response.status,
        headers: response.headers,
        text: response.bytes.toString(),
      },
    };
  }

  /** Fills in the recorder's placeholders in a call. */
  #filledIn(call: Recorded): Recorded {
    const fill = (text: string): string =>
      Object.entries(this.rules.placeholders).reduce(
        (filled, [name, value]) => filled.replaceAll(name, value).replaceAll(encodeURIComponent(name), value),
        text,
      );
    const filledBytes = (bytes: Buffer | undefined): Buffer | undefined => {
      const text = bytes === undefined ? undefined : textIn(bytes);
      return text === undefined ? bytes : Buffer.from(fill(text));
    };
    const filledHeaders = (all: Recorded['headers']): Recorded['headers'] =>
      Object.fromEntries(Object.entries(all).map(([name, value]) => [name, fill(value)]));
    return {
      ...call,
      headers: { 'content-type': '', ...filledHeaders(call.headers) },
      responseHeaders: filledHeaders(call.responseHeaders),
      url: new URL(fill(call.url.href)),
      body: fill(call.body),
      bodyBytes: filledBytes(call.bodyBytes),
      text: fill(call.text),
      bytes: filledBytes(call.bytes),
    };
  }

  #operationOf({ method, url }: Recorded): Operation | undefined {
    const found = this.sandbox.engine.pack.operations.filter((operation) =>
      operation.routes.some(
        (route) => route.method === method && patternOf(route.path).test(url.pathname.replace(/\/+$/, '')),
      ),
    );
    // Prefers a route without parameters to one with parameters.
    return found.find(({ routes }) => routes.some(({ path }) => path === url.pathname)) ?? found.at(0);
  }

  /** Returns the protocol headers for a call: the requested API version, or the account's, and the idempotency key. */
  #protocol({ headers, responseHeaders, status, text }: Recorded): Record<string, string> {
    const { version, idempotency } = this.rules;
    const asked = headers[version.header] ?? responseHeaders[version.header];
    // A text that isn't a version counts only if the vendor's error repeats it; otherwise a recorder has overwritten the header.
    const isSent =
      asked !== undefined && (/^\d{4}-\d\d-\d\d(\.[a-z]+)?/.test(asked) || (status === 400 && text.includes(asked)));
    const key = idempotency === undefined ? undefined : headers[idempotency.header];
    return {
      ...(isSent ? { [version.header]: asked } : {}),
      ...(idempotency === undefined || key === undefined ? {} : { [idempotency.header]: key }),
    };
  }

  /** Whether a recording is newer or older than the pack's version, so that keys may differ. */
  #ageOf(call: Recorded): { readonly isLater: boolean; readonly isEarlier: boolean } {
    const { own, oldest, from, to, header } = this.rules.version;
    const version = (call.headers[header] ?? call.responseHeaders[header] ?? '').slice(0, 10);
    const at = timeOf(call);
    const day = at === null ? '' : new Date(at).toISOString().slice(0, 10);
    return {
      // A recording of a much older version may also contain keys that the vendor has removed since.
      isLater: version > own.slice(0, 10) || day > to || (version !== '' && version < oldest),
      isEarlier:
        call.partial === true ||
        (version !== '' && version !== own.slice(0, 10)) ||
        (day !== '' && (day < from || day > to)),
    };
  }

  async #moveTo(at: number | null): Promise<void> {
    const { nowMs } = this.sandbox.engine.world;
    if (at === null || at < nowMs + 1000) return;
    await this.sandbox.control.advance({ to: new Date(Math.floor(at / 1000) * 1000).toISOString() });
  }

  async #send(call: Recorded, ids: RecordedIds, without: readonly string[]): Promise<PlayedResponse> {
    const path = renamed(ids.inPath(decodeURI(call.url.pathname)), ids);
    const query = stripped(formWith(call.url.search.slice(1), ids), without);
    const { body, type } = requestOf(call, ids, without);
    const response = await fetch(`${this.sandbox.url}${path}${query === '' ? '' : `?${query}`}`, {
      method: call.method,
      redirect: 'manual',
      ...(isStream(call.responseHeaders['content-type']) ? { signal: AbortSignal.timeout(STREAM_TIMEOUT_MS) } : {}),
      headers: {
        ...keyHeaders(this.sandbox.engine.model.settings.auth, this.sandbox.key),
        ...this.#protocol(call),
        ...(body.length === 0 ? {} : { 'content-type': type }),
      },
      ...(body.length === 0 || call.method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
    const most = call.cut === true ? eventsIn(call.text).length : Infinity;
    const given = response.headers.get('content-type') ?? undefined;
    const returned = bodyOf(given, await bytesOf(response, most), most);
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: returned.value ?? null, ...returned };
  }
}

/** The pack's response; `body` is null if it isn't JSON. */
interface PlayedResponse extends WireBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** Creates the request for a recorded call: with the replay's ids, otherwise byte for byte. */
function requestOf(
  call: Recorded,
  ids: RecordedIds,
  without: readonly string[],
): { readonly body: Buffer; readonly type: string } {
  const type = call.headers['content-type'] || 'application/x-www-form-urlencoded';
  const bytes = call.bodyBytes ?? Buffer.from(call.body);
  const parts = partsOf(bytes, type);
  if (parts !== undefined)
    return multipartOf(
      parts.map((part) => {
        const text = part.file === undefined ? textIn(part.bytes) : undefined;
        return text === undefined ? part : { ...part, bytes: Buffer.from(String(ids.inValue(text, part.name))) };
      }),
    );
  const json = /json/.test(type) ? parsed(call.body) : undefined;
  if (json !== undefined) return { body: Buffer.from(JSON.stringify(ids.inValue(json))), type };
  return { body: /form/.test(type) ? Buffer.from(stripped(formWith(call.body, ids), without)) : bytes, type };
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  const made = new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(path, made);
  return made;
}

/** Returns the time of a call: as recorded, or the newest `created` in its response. */
function timeOf({ at, text }: Recorded): number | null {
  if (at !== null) return at;
  const created = [...text.matchAll(/"created":\s*(\d{10})/g)].map(([, seconds]) => Number(seconds));
  return created.length === 0 ? null : Math.max(...created) * 1000;
}

/** Splits a file that was recorded several times into takes; later takes come last. */
function takesOf(calls: readonly Recorded[]): Recorded[][] {
  const takes: Recorded[][] = [[]];
  let last: number | null = null;
  for (const call of calls) {
    const at = timeOf(call);
    if (last !== null && at !== null && at > last + MOST_MOVE_MS) takes.push([]);
    takes.at(-1)?.push(call);
    if (at !== null) last = Math.max(last ?? at, at);
  }
  return takes;
}

/** Finds the parameter that a response rejects as unknown or not expandable. */
function rejectedIn(body: Json): string | null {
  const error = isObject(body) ? body['error'] : null;
  if (!isObject(error) || typeof error['message'] !== 'string') return null;
  if (error['code'] === 'parameter_unknown' && typeof error['param'] === 'string') return error['param'];
  return /^This property cannot be expanded/.test(error['message']) ? 'expand' : null;
}

/** Removes parameters that begin with a name from a form. */
function stripped(form: string, without: readonly string[]): string {
  if (without.length === 0) return form;
  return form
    .split('&')
    .filter((pair) => !without.some((name) => decodedPart(pair).startsWith(name)))
    .join('&');
}

/** Replaces recorded ids in a form or query with the replay's ids. */
function formWith(form: string, ids: RecordedIds): string {
  return form
    .split('&')
    .map((pair) => {
      const [name, value] = [pair.slice(0, pair.indexOf('=') + 1), pair.slice(pair.indexOf('=') + 1)];
      const key = decodedPart(name.slice(0, -1)).replace(/\[\]$/, '');
      return idKind(decodedPart(value), key) === null
        ? renamed(decodedName(pair), ids)
        : `${name}${encodeURIComponent(ids.of(decodedPart(value), key))}`;
    })
    .join('&');
}

/** Decodes `$%7Bid_1%7D` to `${id_1}`, the name of an example's saved value. */
function decodedName(pair: string): string {
  return pair.replace(/(?:\$|%24)%7B(\w+)%7D/gi, (_all, name: string) => `\${${name}}`);
}

/** Returns the values of a body that is a form. */
function formValues(form: string): string[] {
  return form.split('&').map((pair) => decodedPart(pair.slice(pair.indexOf('=') + 1)));
}

/** Returns a function that checks whether a recorded value repeats one that the request contains under the same name. */
function echoOf({ body, url }: Recorded): (path: string, recorded: Json) => boolean {
  const given = new Map(
    [...body.split('&'), ...url.search.slice(1).split('&')].map((pair) => {
      const at = pair.indexOf('=');
      return [
        decodedPart(pair.slice(0, at)).replace(/\[/g, '.').replaceAll(']', ''),
        decodedPart(pair.slice(at + 1)),
      ] as const;
    }),
  );
  return (path, recorded) =>
    typeof recorded === 'object' && recorded !== null
      ? [...given.keys()].some((name) => name.startsWith(`${path}.`))
      : given.get(path) === String(recorded);
}

/** Parses JSON; undefined if invalid. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
