import { isObject, type Json } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { TokenPlan } from '../program/index.js';
import type { Row } from '../world/index.js';

/** Returns the scopes of a token, including implied ones; null: the token has all scopes. */
export function scopesOf({ scopes, implies }: TokenPlan, host: Host, token: Row): ReadonlySet<string> | null {
  if (scopes === null) return null;
  const has = new Set(words(scopes(host, token)));
  // The iteration includes scopes that the loop adds, so implied scopes of implied ones are added too.
  for (const scope of has) for (const each of implies[scope] ?? []) has.add(each);
  return has;
}

function words(value: Json): ReadonlySet<string> {
  if (typeof value === 'string') return new Set(value.split(/[\s,]+/));
  return new Set(Array.isArray(value) || isObject(value) ? Object.values(value).map(String) : []);
}
