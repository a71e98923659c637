import type { Json } from './types.js';

/** An error response of the control API. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Path of the control API that serves this page. */
export const ADMIN = location.pathname.replace(/\/$/, '');
/** Base URL of the shown vendor's API. */
export let ORIGIN = location.origin + ADMIN.replace(/\/__admin__$/, '');
/** Path of the control API of the selected vendor; in a company it is below the company's path. */
export let CONTROL = ADMIN;

const VENDOR = `sandbox vendor ${ADMIN}`;

/** Shows one vendor of a company. @param vendors addresses by name @returns its name */
export function showVendor(vendors: Readonly<Record<string, { readonly url: string }>>): string {
  const chosen = sessionStorage.getItem(VENDOR) ?? '';
  const name = Object.hasOwn(vendors, chosen) ? chosen : Object.keys(vendors)[0];
  CONTROL = controlOf(name);
  ORIGIN = vendors[name].url;
  return name;
}

/** Returns the path of a vendor's control API in a company. */
export function controlOf(vendor: string): string {
  return `${ADMIN}/vendors/${encodeURIComponent(vendor)}`;
}

/** Shows another vendor of the company. */
export function chooseVendor(name: string): void {
  sessionStorage.setItem(VENDOR, name);
  location.reload();
}

const PLACE = `sandbox key ${ADMIN}`;
let key: string | null = null;

/** Removes the key from the URL, where it is visible, and keeps it for this tab. @returns whether there was one */
export function takeKey(): boolean {
  const given = /^#key=([^&]*)(?:&(.*))?$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(PLACE, decodeURIComponent(given[1]));
    history.replaceState(null, '', `${location.pathname}${given[2] ? `#${given[2]}` : ''}`);
  }
  key = sessionStorage.getItem(PLACE);
  return key !== null;
}

/** Stores a key that the user entered. */
export function keepKey(given: string): void {
  key = given;
  sessionStorage.setItem(PLACE, given);
}

/** Returns the key in the format that vendor clients send. */
export function theKey(): string {
  return key ?? '';
}

export function forgetKey(): void {
  key = null;
  sessionStorage.removeItem(PLACE);
}

/** Returns the headers of every control API call. */
export function headers(): Record<string, string> {
  return { Authorization: `Bearer ${key ?? ''}`, Accept: 'application/json' };
}

/** Ledger entry of the moment that the page shows; null for the present. Set by `past.ts`. */
export const shownMoment: { at: number | null } = { at: null };
/** Matches paths of control API routes that accept a past moment. */
const OF_A_MOMENT = /^\/(?:$|objects(?:$|\/)|mailbox(?:$|\/)|timeline$|search$|glance$)/;

/**
 * Reads a resource of the control API at the shown moment.
 * @param base path of the control API; the shown vendor's by default
 * @throws ApiError
 */
export function get<T>(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
  base = CONTROL,
): Promise<T> {
  const text = new URLSearchParams();
  if (shownMoment.at !== null && OF_A_MOMENT.test(path)) text.set('at', String(shownMoment.at));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') text.set(name, String(value));
  return call<T>('GET', base + (text.size > 0 ? `${path}?${text}` : path));
}

export function post<T>(path: string, body: unknown = {}, base = CONTROL): Promise<T> {
  return call<T>('POST', base + path, body);
}

export function remove<T>(path: string): Promise<T> {
  return call<T>('DELETE', CONTROL + path);
}

/** Reads a control API response other than JSON. @throws ApiError */
export async function getText(path: string): Promise<string> {
  const response = await fetch(CONTROL + path, { headers: { ...headers(), Accept: '*/*' } });
  const text = await response.text();
  if (!response.ok) throw errorOf(response.status, text);
  return text;
}

async function call<T>(method: string, url: string, body?: unknown): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers() : { ...headers(), 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new ApiError(
      0,
      'not_reached',
      `Can't reach the sandbox (${error instanceof Error ? error.message : 'no reason'}). Is \`sandbox serve\` still running?`,
    );
  });
  const text = await response.text();
  if (!response.ok) throw errorOf(response.status, text);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

function errorOf(status: number, text: string): ApiError {
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } & Record<string, Json> };
    return new ApiError(status, error.code, error.message);
  } catch {
    return new ApiError(status, 'unknown', `The sandbox returned status ${status}.`);
  }
}
