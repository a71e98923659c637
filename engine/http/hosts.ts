import { isIP } from 'node:net';

/** Endings of names that cannot be registered. */
const RESERVED = /(?:^|\.)(?:localhost|test|internal)$/;

/**
 * Makes the check of `Host` headers that keeps foreign names out: a page of a stranger's domain whose name is made to lead here
 * (DNS rebinding) would have this server for its own origin. Addresses, names without a dot and names that cannot be registered
 * cannot be a stranger's.
 * @param names names that the server was given; their case does not count
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const own = new Set(names.map((name) => name.toLowerCase()));
  return (host) => {
    // Browsers always send one.
    if (host === undefined) return true;
    const name = /^(?:\[([\da-f:.]+)\]|([^:[\]]*))(?::\d*)?$/i.exec(host);
    if (name === null) return false;
    const text = (name[1] ?? name[2]).toLowerCase().replace(/\.$/, '');
    return own.has(text) || !text.includes('.') || isIP(text) !== 0 || RESERVED.test(text);
  };
}
