import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { Recorded } from '../../recordings/read.js';
import { parsed } from '../../recordings/replay.js';

/** Matches paths with an object's number instead of its name. */
const NUMBERED = /^\/(repositories|organizations|user)\/(\d+)(?=\/|$)/;
const OF_TEAM = /^\/orgs\/([^/]+)\/team\/(\d+)(?=\/|$)|^\/teams\/(\d+)(?=\/|$)/;

/** Replaces numeric paths in calls with paths by name, using the calls' own responses. Numbers in no response stay. */
export function byName(calls: readonly Recorded[]): Recorded[] {
  const names = new Map<string, string>();
  for (const { text, status } of calls) if (status < 300) visit(parsed(text) ?? null);
  return calls.map((call) => {
    const first = call.url.pathname.replace(
      NUMBERED,
      (whole, kind: string, id: string) => names.get(`${kind} ${id}`) ?? whole,
    );
    const path = first.replace(
      OF_TEAM,
      (whole, _, id?: string, other?: string) => names.get(`team ${id ?? other}`) ?? whole,
    );
    if (path === call.url.pathname) return call;
    const url = new URL(call.url.href);
    url.pathname = path;
    return { ...call, url };
  });

  function visit(value: Json): void {
    if (Array.isArray(value)) for (const each of value as readonly Json[]) visit(each);
    if (!isObject(value)) return;
    note(value);
    for (const each of Object.values(value)) visit(each);
  }

  function note({ id, full_name, login, type, slug, html_url }: JsonObject): void {
    if (typeof id !== 'number') return;
    if (typeof full_name === 'string') names.set(`repositories ${id}`, `/repos/${full_name}`);
    if (typeof login === 'string' && type === 'Organization') names.set(`organizations ${id}`, `/orgs/${login}`);
    if (typeof login === 'string') names.set(`user ${id}`, `/users/${login}`);
    const [, org] = /\/orgs\/([^/]+)\/teams\//.exec(String(html_url)) ?? [];
    if (typeof slug === 'string' && org !== undefined) names.set(`team ${id}`, `/orgs/${org}/teams/${slug}`);
  }
}
