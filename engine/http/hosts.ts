import { isIP } from 'node:net';

/** Endings of host names under which no name can be registered. */
const RESERVED = /(?:^|\.)(?:localhost|test|internal)$/;

/** Returns a test of host names in lower case. `*.vendor.com` matches every host below vendor.com. */
export function hostMatcher(patterns: readonly string[]): (host: string) => boolean {
  const own = new Set(patterns.map((each) => each.toLowerCase()));
  const ends = [...own].filter((each) => each.startsWith('*.')).map((each) => each.slice(1));
  return (host) => own.has(host) || ends.some((end) => host.endsWith(end));
}

/**
 * Returns a check that rejects foreign names in `Host` headers: a page of a domain that resolves to this machine (DNS
 * rebinding) would otherwise have this server as its own origin. Addresses, names without a dot and names that can't be
 * registered are safe.
 * @param names configured host names, `*.vendor.com` means every host below vendor.com; case-insensitive
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const isOwn = hostMatcher(names);
  return (host) => {
    // Browsers always send `Host`, so a request without it isn't an attack by DNS rebinding.
    if (host === undefined) return true;
    const name = /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::\d*)?$/i.exec(host);
    if (name === null) return false;
    const text = (name[1] ?? name[2]).toLowerCase().replace(/\.$/, '');
    return isOwn(text) || !text.includes('.') || isIP(text) !== 0 || RESERVED.test(text);
  };
}
