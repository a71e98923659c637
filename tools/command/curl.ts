import type { ReplayOrder } from '../../engine/index.js';
import { variableOf } from './world-env.js';

/** Formats a call as a curl command, with address and key in the environment. */
export function curlOf({ method, path, headers, body, key, vendor }: ReplayOrder): string {
  const words = ['curl', '-sS'];
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push('-X', method);
  const variable = variableOf(vendor, 'KEY');
  const shown = key ? `${key.instead}\${${variable}#${key.prefix}}` : `$${variable}`;
  words.push(`"$${variableOf(vendor, 'URL')}"${quoted(path)}`, '-H', `"Authorization: Bearer ${shown}"`);
  for (const [name, value] of Object.entries(headers)) {
    // Omits the header that curl sends by default.
    if (value === 'application/x-www-form-urlencoded') continue;
    words.push('-H', quoted(`${name}: ${value}`));
  }
  if (typeof body === 'string') words.push('-d', quoted(body));
  if (typeof body !== 'object') return words.join(' ');
  return `base64 -d <<< ${quoted(Buffer.from(body).toString('base64'))} | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

/** Quotes a word for a shell. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
