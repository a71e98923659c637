import type { Code } from './routes/code.js';

/** A vendor's host that an application's own code calls, without a client of the vendor. */
export interface CalledHost {
  readonly host: string;
  /** The first file that contains the host. */
  readonly file: string;
}

/** Matches URLs at the start of a string literal. */
const ADDRESS = /["'`](?:https?|wss?):\/\/((?:[\w-]{1,60}\.){1,4}[a-z]{2,10})(\/api\/)?/g;

/** Folders with programs of developers, not of the application. */
const BESIDE = /(?:^|\/)(?:scripts?|ci|devtools|docs?|examples?)\//;
/** Matches code that uses a credential. Code without one only reads public data, which a sandbox doesn't have. */
const CREDENTIAL = /authorization|bearer|api[-_]?key|[a-z]_?token\b|[a-z]_?secret\b/i;

/**
 * Finds the hosts in URLs of code that uses a credential, each with its first file. `host/api/` stands for the API of a host that also serves pages.
 */
export function hostsIn(code: Code): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of code.files.filter((each) => !BESIDE.test(each))) {
    const text = code.text(file);
    for (const [, host, api] of CREDENTIAL.test(text) ? text.matchAll(ADDRESS) : []) {
      const key = api === undefined || host.split('.').length > 2 ? host : `${host}/api/`;
      if (!found.has(key)) found.set(key, file);
    }
  }
  return found;
}

/**
 * Selects the vendor's hosts that the code calls. A pattern such as `*.vendor.com` counts only as `api.vendor.com`, since other hosts may be links
 * for people.
 */
export function calledOf(hosts: readonly string[], inCode: ReadonlyMap<string, string>): readonly CalledHost[] {
  return hosts.flatMap((host): readonly CalledHost[] => {
    const name = host.startsWith('*.') ? `api${host.slice(1)}` : host.split('.').length > 2 ? host : `${host}/api/`;
    const file = inCode.get(name);
    return file === undefined ? [] : [{ host: name.replace('/api/', ''), file }];
  });
}
