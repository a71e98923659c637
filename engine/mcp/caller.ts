import type { Request } from 'express';
import type { FoundKey, Keys } from '../api/index.js';
import { TOKEN_KEY, type Model } from '../model/index.js';
import { keyHeaders, UNSIGNED_HEADER } from '../http/index.js';
import { isOfOperation, type Tool } from './tool.js';

/** A caller of the MCP endpoint: its key, and how calls of the vendor API send that key. */
export interface Caller {
  readonly found: Extract<FoundKey, { ok: true }>;
  readonly headers: Readonly<Record<string, string>>;
  /** The query parameter that carries the caller's key; null: the key is in the headers. */
  readonly parameter: { readonly name: string; readonly value: string } | null;
}

/** Headers of the outer request that aren't passed on. */
const OUTER =
  /^(?:accept|accept-encoding|connection|content-.*|expect|host|keep-alive|last-event-id|mcp-.*|origin|te|transfer-encoding|upgrade|x-mcp-.*)$/;

/**
 * Identifies the caller. Agents send a key as a bearer token, independent of the vendor's scheme, which is accepted too. Null:
 * no valid key.
 */
export function callerOf(keys: Keys, { settings }: Model, { headers }: Request): Caller | null {
  // The signature of the MCP request doesn't fit the inner calls, so these are exempt from signing.
  const unsigned: Record<string, string> = settings.auth.areSigned ? { [UNSIGNED_HEADER]: 'true' } : {};
  const sent: Record<string, string> = { ...innerHeaders(headers), ...unsigned };
  const direct = keys.ofHeaders(headers);
  if (direct.ok) return { found: direct, headers: sent, parameter: null };
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (direct.given !== null || bearer === undefined) return null;
  const { auth } = settings;
  const { authorization: _, ...rest } = sent;
  const own = keyHeaders(auth, bearer);
  const inHeaders = keys.ofHeaders(own);
  if (inHeaders.ok) return { found: inHeaders, headers: { ...rest, ...own }, parameter: null };
  const place = auth.keyPlaces.at(0);
  if (inHeaders.given !== null || place === undefined) return null;
  const found = keys.ofParameters({ ok: true, given: { [place.name]: bearer }, text: true, expand: [] })?.found;
  return found?.ok === true ? { found, headers: rest, parameter: { name: place.name, value: bearer } } : null;
}

/** Whether a caller's key may use a tool. */
export function opensTool(keys: Keys, { found }: Caller, tool: Tool): boolean {
  if (!isOfOperation(tool)) return true;
  const { operation } = tool;
  if (operation.open || found.key === null) return true;
  if (found.token !== null) return keys.lacking(operation, found.token).length === 0;
  return operation.keys.has(found.key);
}

/** Returns an equal text for callers whose keys may use the same tools; null for keys with scopes of their own. */
export function callerKind({ found }: Caller): string | null {
  return found.key === TOKEN_KEY ? null : (found.key ?? '');
}

function innerHeaders(headers: Request['headers']): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OUTER.test(name)) made[name] = typeof value === 'string' ? value : value.join(', ');
  return made;
}
