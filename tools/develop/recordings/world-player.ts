import { ControlError, type Sandbox } from '../../../engine/index.js';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import {
  responseDifferences,
  pathPattern,
  type Setting,
  settingsOf,
  type RecordingDifference,
} from '../../recordings/compare.js';
import type { Recorded } from '../../recordings/read.js';
import { type PlayedExchange, parsed } from '../../recordings/replay.js';
import type { RulesFile } from '../../recordings/rules.js';
import { byName } from './by-name.js';
import { RECORDED_TOKEN, tokenOf } from './presumed-people.js';
import { Presumption, type PresumedWorld } from './presumed.js';
import type { Recording } from './recording.js';

/** The result of a recorded call. */
export interface PlayedCall {
  readonly call: string;
  /** Key of the operation; undefined if the pack doesn't have it. */
  readonly operation?: string;
  readonly status: readonly [recorded: number, ours: number];
  readonly differences: readonly RecordingDifference[];
  /** The request as sent, and the pack's response; undefined if the call wasn't sent. */
  readonly exchange?: PlayedExchange;
}

/** Limits of the recording's account, and failures of the vendor, which no world has without a fault. */
const LIMITED = /rate limit|abuse detection|secondary rate/i;
/** Maximum advance of the clock between two calls of a recording. */
const MOST_MOVE_MS = 40 * 86_400_000;
/** Maximum number of rejected seed objects before the seed is abandoned. */
const MOST_REJECTED = 400;

/** Plays recordings on a pack, each in a world with the objects that it needs. */
export class WorldPlayer {
  readonly #random: readonly RegExp[];
  readonly #settings: readonly Setting[];
  /** Number of objects that worlds rejected, by reason. */
  readonly rejected = new Map<string, number>();

  constructor(
    private readonly sandbox: Sandbox,
    private readonly rules: RulesFile,
  ) {
    this.#random = rules.random.map(pathPattern);
    this.#settings = settingsOf(rules.settings);
  }

  async play(recording: Recording): Promise<PlayedCall[]> {
    const [before, calls] = [recording.before, recording.calls].map((each) => each.map((call) => this.#filledIn(call)));
    const all = [...before, ...calls].filter(({ url }) => this.rules.hosts.includes(url.hostname));
    const own = byName(all);
    const operations = new Map(all.map((call, at) => [call, this.#operationOf(own[at])]));
    if (![...operations.values()].some((operation) => operation !== undefined))
      return calls
        .filter((call) => this.#counts(call))
        .map((call) => ({ call: said(call), status: [call.status, 0], differences: [] }));
    const world = new Presumption(this.sandbox).of(own);
    const first = own.map(({ responseHeaders }) => Date.parse(responseHeaders['date'] ?? '')).find((at) => at > 0);
    await this.sandbox.control.reset({ t0: Math.floor((first ?? Date.UTC(2024, 0, 1)) / 1000) });
    await this.#seed(world);
    const names = new Names(world);
    const played: PlayedCall[] = [];
    for (const [at, call] of [...before, ...calls].entries()) {
      if (!this.#counts(call)) continue;
      await this.#makeWay(call);
      const result = await this.#play(call, operations.get(call), names);
      if (at >= before.length) played.push(result);
    }
    return played;
  }

  /** Fills in the placeholders of a recorder, which also replaced small numbers inside hashes. */
  #filledIn(call: Recorded): Recorded {
    const fill = (text: string): string =>
      Object.entries(this.rules.placeholders).reduce(
        (filled, [name, value]) =>
          [name, encodeURIComponent(name)].reduce(
            (text, form) =>
              text
                .replaceAll(new RegExp(`(?<=[0-9a-f])${form}|${form}(?=[0-9a-f])`, 'g'), value.slice(0, 2))
                .replaceAll(form, value),
            filled,
          ),
        text,
      );
    return { ...call, url: new URL(fill(call.url.href)), body: fill(call.body), text: fill(call.text) };
  }

  /** Whether a call counts: excludes limits, failures of the vendor, and calls older than the pack's rules. */
  #counts({ url, status, text, responseHeaders }: Recorded): boolean {
    if (Date.parse(responseHeaders['date'] ?? '') < Date.parse(this.rules.version.from)) return false;
    return (
      this.rules.hosts.includes(url.hostname) &&
      status < 500 &&
      status !== 429 &&
      !(status === 403 && (LIMITED.test(text) || responseHeaders['x-ratelimit-remaining'] === '0'))
    );
  }

  #operationOf({ method, url }: Recorded): string | undefined {
    const match = this.sandbox.engine.pack.routes.match(method, url.pathname);
    return match.kind === 'operation' ? match.operation.key : undefined;
  }

  async #seed({ seed }: PresumedWorld): Promise<void> {
    for (let tries = 0; tries < MOST_REJECTED; tries++) {
      try {
        await this.sandbox.control.call('POST', '/seed', { resources: seed });
        return;
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        const { message, path = '' } = (error.body as { error: { message: string; path?: string } }).error;
        const found = /^(\w+)\[(\d+)\](?:\.(\w+))?/.exec(path);
        if (!found) throw error;
        const [, collection, index, field = ''] = found;
        const why = `${collection}.${field} ${message.replace(/'[^']*'|\d+/g, '_').slice(0, 90)}`;
        this.rejected.set(why, (this.rejected.get(why) ?? 0) + 1);
        seed[collection].splice(Number(index), 1);
      }
    }
  }

  /** Deletes an existing repository that a call creates: the recording omits the deletion between two takes of a test. */
  async #makeWay({ method, url, status, text }: Recorded): Promise<void> {
    const made = parsed(text);
    if (method !== 'POST' || status !== 201 || !/^\/(?:user|orgs\/[^/]+)\/repos$/.test(url.pathname)) return;
    const name = isObject(made ?? null) ? String((made as JsonObject)['full_name']) : '';
    const headers = { authorization: `Bearer ${RECORDED_TOKEN}` };
    await fetch(`${this.sandbox.url}/repos/${name}`, { method: 'DELETE', headers });
  }

  async #play(call: Recorded, operation: string | undefined, names: Names): Promise<PlayedCall> {
    const recorded = parsed(call.text);
    if (operation === undefined) return { call: said(call), status: [call.status, 0], differences: [] };
    const { nowMs } = this.sandbox.engine.world;
    const at = Date.parse(call.responseHeaders['date'] ?? '');
    if (at > nowMs && at < nowMs + MOST_MOVE_MS) await this.sandbox.control.advance({ to: new Date(at).toISOString() });
    const response = await this.#send(call, names);
    const ours = parsed(response.text);
    names.addTag(call.responseHeaders['etag'], response.headers['etag']);
    if (recorded !== undefined && ours !== undefined && call.status === response.status)
      names.addId(recorded, aligned(recorded, ours, names));
    const found: RecordingDifference[] = [];
    if (call.status === response.status && (recorded !== undefined || call.text.trim() === ''))
      found.push(
        ...responseDifferences(recorded ?? null, aligned(recorded ?? null, ours ?? null, names), {
          random: this.#random,
          settings: this.#settings,
          isLater: false,
          isEarlier: true,
          ids: new Map(),
          same: (one, other, key) => names.same(one, other, key),
        }),
      );
    const { status, headers, text } = response;
    const exchange = { recorded: call, status, headers, text };
    return { call: said(call), operation, status: [call.status, status], differences: found, exchange };
  }

  async #send(call: Recorded, names: Names): Promise<Omit<PlayedExchange, 'recorded'>> {
    const path = names.inPath(decodeURI(call.url.pathname));
    const json = parsed(call.body);
    const body =
      call.method === 'GET' || call.body === ''
        ? undefined
        : json === undefined
          ? call.body
          : JSON.stringify(names.inValue(json));
    const { accept, 'if-none-match': tag } = call.headers;
    const known = names.tag(tag);
    // Encodes the path without encoding its escaped characters again.
    const target = encodeURI(path).replace(/%25(?=[0-9A-F]{2})/gi, '%');
    const response = await fetch(`${this.sandbox.url}${target}${names.inText(call.url.search)}`, {
      method: call.method,
      redirect: 'manual',
      headers: {
        // Sends an invalid token for a call that the vendor rejected, since recordings hide tokens.
        ...(call.responseHeaders['x-ratelimit-limit'] === ANONYMOUS_LIMIT && call.status !== 401
          ? {}
          : {
              authorization: `Bearer ${call.status === 401 ? 'wrong' : OF_APPS.test(path) && names.jwt !== null ? names.jwt : names.tokenFor(call)}`,
            }),
        ...(accept === undefined ? {} : { accept }),
        ...(known === undefined ? {} : { 'if-none-match': known }),
        ...(body === undefined
          ? {}
          : {
              'content-type': json === undefined ? (call.headers['content-type'] ?? 'text/plain') : 'application/json',
            }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  }
}

/** The vendor's hourly limit for calls without a token. */
const ANONYMOUS_LIMIT = '60';
/** Matches paths of calls that an app makes with a JSON Web Token. */
const OF_APPS = /^\/app(?:\/|$)|\/installation$/;

/** Sorts lists in the pack's response like the recorded ones, whose order often depends on unrecorded data. */
function aligned(recorded: Json, ours: Json, names: Names): Json {
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    const left = [...(ours as readonly Json[])];
    const taken = (recorded as readonly Json[]).map((each) => {
      const at = left.findIndex((other) => names.areOne(each, other));
      return at < 0 ? undefined : left.splice(at, 1)[0];
    });
    return taken.flatMap((found, at) => {
      const other = found ?? left.shift();
      return other === undefined ? [] : [aligned((recorded as readonly Json[])[at], other, names)];
    });
  }
  if (!isObject(recorded) || !isObject(ours)) return ours;
  return Object.fromEntries(
    Object.entries(ours).map(([name, value]) => [
      name,
      name in recorded ? aligned(recorded[name], value, names) : value,
    ]),
  );
}

function said({ method, url }: Recorded): string {
  return `${method} ${url.pathname}${url.search}`;
}

const SHA = /^[0-9a-f]{40}$/;
/** Larger numbers are object ids; smaller ones count within a repository. */
const FIRST_ID = 5000;

/** Maps recorded ids, hashes and addresses to those in the world. */
class Names {
  readonly #ids: Map<string, string>;
  readonly #paths: Map<string, string>;

  readonly #tags = new Map<string, string>();

  /** JSON Web Token of the calling app. */
  readonly jwt: string | null;

  readonly #invited: PresumedWorld['invited'];

  constructor({ ids, paths, app, invited }: PresumedWorld) {
    this.#invited = invited;
    const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    this.jwt = app === null ? null : `${part({ alg: 'RS256' })}.${part({ iss: app })}.signature`;
    this.#ids = new Map(ids);
    this.#paths = new Map(paths);
  }

  /** Selects the token for a call: an invitation is accepted or declined by the invited person. */
  tokenFor({ url }: Recorded): string {
    const invitee = this.#invited.get(/^\/user\/repository_invitations\/(\d+)$/.exec(url.pathname)?.[1] ?? '');
    return invitee === undefined ? RECORDED_TOKEN : tokenOf(invitee);
  }

  /** Pairs the ETags of two responses to the same call. */
  addTag(recorded: string | undefined, ours: string | undefined): void {
    if (recorded !== undefined && ours !== undefined) this.#tags.set(recorded, ours);
  }

  /** Returns the ETag in the world for a recorded one; undefined if the recording doesn't have that response. */
  tag(recorded: string | undefined): string | undefined {
    return recorded === undefined ? undefined : this.#tags.get(recorded);
  }

  /** Pairs the ids at the same path. The first pairing of an id stays. */
  addId(recorded: Json, ours: Json, key = ''): void {
    if (Array.isArray(recorded) && Array.isArray(ours)) {
      for (const [index, each] of recorded.entries()) this.addId(each as Json, (ours[index] ?? null) as Json, key);
    } else if (isObject(recorded) && isObject(ours)) {
      for (const [name, value] of Object.entries(recorded)) this.addId(value, ours[name] ?? null, name);
    } else if (isId(recorded, key) && isId(ours, key)) {
      if (!this.#ids.has(String(recorded))) this.#ids.set(String(recorded), String(ours));
    } else if (key === 'url' && typeof recorded === 'string' && typeof ours === 'string') {
      const [theirs, own] = [recorded, ours].map((each) =>
        decodeURI(each.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*$/, '')),
      );
      if (!this.#paths.has(theirs)) this.#paths.set(theirs, own);
    }
  }

  /** Whether two values are ids of the same object; undefined if they are no ids. */
  same(recorded: Json, ours: Json, key: string): boolean | undefined {
    if (!isId(recorded, key) || !isId(ours, key)) return undefined;
    return (this.#ids.get(String(recorded)) ?? String(recorded)) === String(ours);
  }

  /** Whether two list items are the same object, by their ids. */
  areOne(recorded: Json, ours: Json): boolean {
    if (!isObject(recorded) || !isObject(ours)) return recorded === ours;
    for (const key of ['id', 'sha', 'ref', 'name', 'path', 'login', 'context'])
      if (recorded[key] !== undefined && ours[key] !== undefined)
        return this.same(recorded[key], ours[key], key) ?? recorded[key] === ours[key];
    return false;
  }

  inPath(path: string): string {
    const parts = path.split('/');
    for (let end = parts.length; end > 3; end--) {
      const known = this.#paths.get(parts.slice(0, end).join('/'));
      if (known !== undefined) return [known, ...parts.slice(end).map((each) => this.inText(each))].join('/');
    }
    return this.inText(path);
  }

  inText(text: string): string {
    // Also matches an id after an escaped character, such as `SHA%3A`.
    return text.replace(/(?<![0-9a-f])[0-9a-f]{40}\b|\b\d{4,}\b/g, (id) => this.#ids.get(id) ?? id);
  }

  inValue(value: Json, key = ''): Json {
    if (typeof value === 'string') return SHA.test(value) ? (this.#ids.get(value) ?? value) : value;
    if (typeof value === 'number') return isId(value, key) ? Number(this.#ids.get(String(value)) ?? value) : value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((each) => this.inValue(each, key));
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.inValue(each, name)]))
      : value;
  }
}

function isId(value: Json, key: string): boolean {
  if (typeof value === 'string') return SHA.test(value) || (key === 'id' && /^\d{4,}$/.test(value));
  return typeof value === 'number' && value >= FIRST_ID && /(?:^|_)ids?$|^in_reply_to$/.test(key);
}
