import type { Code } from './routes/code.js';

/** A vendor's host that an application's code calls by itself, without a client of the vendor. */
export interface CalledHost {
  readonly host: string;
  /** The first file that names it. */
  readonly file: string;
}

/** Addresses at the start of a text. */
const ADDRESS = /["'`](?:https?|wss?):\/\/((?:[\w-]{1,60}\.){1,4}[a-z]{2,10})(\/api\/)?/g;

/** What code has that calls a vendor with a key; without one, it reads what is public, which a sandbox doesn't have. */
const CREDENTIAL = /authorization|bearer|api[-_]?key|[a-z]_?token\b|[a-z]_?secret\b/i;

/** The hosts in the addresses of an application's code, each with its first file. `host/api/` is a host whose other pages are for people. */
export function hostsIn(code: Code): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of code.files) {
    const text = code.text(file);
    for (const [, host, api] of CREDENTIAL.test(text) ? text.matchAll(ADDRESS) : []) {
      const key = api === undefined || host.split('.').length > 2 ? host : `${host}/api/`;
      if (!found.has(key)) found.set(key, file);
    }
  }
  return found;
}

/** Those of a vendor's hosts that code calls; of a pattern such as `*.vendor.com`, its API's alone: links lead to the others. */
export function calledOf(hosts: readonly string[], inCode: ReadonlyMap<string, string>): readonly CalledHost[] {
  return hosts.flatMap((host): readonly CalledHost[] => {
    const name = host.startsWith('*.') ? `api${host.slice(1)}` : host.split('.').length > 2 ? host : `${host}/api/`;
    const file = inCode.get(name);
    return file === undefined ? [] : [{ host: name.replace('/api/', ''), file }];
  });
}
