import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { API, KINDS } from './presumed-tables.js';

/** An object of a seed while it is assembled. */
export type PresumedRow = Record<string, Json>;

/** An object's own URL, parsed: collection, repository, id in the repository, and path. */
export type ObjectAddress = readonly [kind: string, repo: string, part: string, path: string];

/** An object in a response and its row in the seed. */
export interface ShownObject {
  readonly kind: string;
  readonly repo: string;
  /** Id in its repository. */
  readonly part: string;
  readonly path: string;
  readonly value: JsonObject;
  readonly id: string;
  readonly row: PresumedRow;
}

/** Parses an object's own URL. */
export function kindOf(value: Json | undefined): ObjectAddress | undefined {
  if (!isObject(value ?? null)) return undefined;
  const { url } = value as JsonObject;
  if (typeof url !== 'string' || !API.test(url)) return undefined;
  const path = decodeURI(url.replace(API, ''));
  for (const [pattern, kind] of KINDS) {
    const found = pattern.exec(path);
    if (found) return [kind, found[1], found[2] ?? '', path];
  }
  return undefined;
}

/** Adds the list's filters to workflow runs whose items contain only an id. */
export function whatWasAsked({ searchParams: asked }: URL, path: string, body: Json): Json {
  const [, home, workflow] = /^(\/repos\/[^/]+\/[^/]+\/actions)\/(?:workflows\/([^/]+)\/)?runs$/.exec(path) ?? [];
  if (home === undefined) return body;
  const known = { head_branch: asked.get('branch'), event: asked.get('event'), head_sha: asked.get('head_sha') };
  const [actor, created] = [asked.get('actor'), asked.get('created')];
  const what: JsonObject = {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)),
    ...(/^\d+$/.test(workflow ?? '') && { workflow_id: Number(workflow) }),
    ...(asked.get('status') !== null && { status: 'completed', conclusion: 'success' }),
    ...(actor !== null && { actor: { login: actor } }),
    ...(created !== null && { created_at: `${created.slice(0, 10)}T12:00:00Z` }),
  };
  const runs = listIn(mapIn(body)['workflow_runs']);
  const whole = runs.map((each) => ({
    url: `https://api.github.com${home}/runs/${shownText(each['id'])}`,
    ...what,
    ...each,
  }));
  return { ...mapIn(body), workflow_runs: whole };
}

/** Reconstructs one side of a patch. */
export function sideOfPatch(patch: string, isAfter: boolean): string {
  return patch
    .split('\n')
    .filter((line) => line.startsWith(' ') || line.startsWith(isAfter ? '+' : '-'))
    .map((line) => line.slice(1))
    .join('\n');
}

/** Keeps the order of listed notifications. The vendor sorts by a hidden time; here it is the shown time if that matches the order. */
export function inOrder(rows: readonly PresumedRow[]): PresumedRow[] {
  let before = '9';
  for (const row of rows) {
    if (shownText(row['updated_at']) > before) row['updated_at'] = before;
    before = shownText(row['updated_at']);
  }
  // At equal times the newest is listed first.
  return [...rows].reverse();
}

export function blobSha(text: string): string {
  return digest(`blob ${Buffer.byteLength(text)}\u0000${text}`);
}

export function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

export function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function reversed(sha: Json | undefined): string {
  return shownText(sha).split('').reverse().join('');
}

export function milestoneOf(repo: string, value: JsonObject): string | null {
  const { number } = mapIn(value['milestone']);
  return number === undefined ? null : `${repo}/${shownText(number)}`;
}

export function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (name in value ? [[name, value[name]]] : [])));
}

export function mapIn(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

export function listIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

export function shownText(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** The login in a user or organization object. */
export function loginIn(value: Json | undefined): string {
  return shownText(mapIn(value)['login']);
}

/** The texts of one member in all items of a list. */
export function textsIn(value: Json | undefined, name: string): string[] {
  return listIn(value).map((each) => shownText(each[name]));
}
