import { isIP } from 'node:net';

/** Endings of names that can't be registered. */
const RESERVED = /(?:^|\.)(?:localhost|test|internal)$/;

/**
 * Makes the check of `Host` headers against foreign names: a page of a domain that resolves to this machine (DNS rebinding)
 * would otherwise have this server as its own origin. Addresses, names without a dot and names that can't be registered are
 * safe.
 * @param names configured host names, `*.vendor.com` covers all below vendor.com; case-insensitive
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const own = new Set(names.map((name) => name.toLowerCase()));
  const ends = [...own].filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  return (host) => {
    // Browsers always send one.
    if (host === undefined) return true;
    const name = /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::\d*)?$/i.exec(host);
    if (name === null) return false;
    const text = (name[1] ?? name[2]).toLowerCase().replace(/\.$/, '');
    return (
      own.has(text) ||
      ends.some((end) => text.endsWith(end)) ||
      !text.includes('.') ||
      isIP(text) !== 0 ||
      RESERVED.test(text)
    );
  };
}
