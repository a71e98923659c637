import { InvalidArgumentError, Option } from 'commander';

/** Parses a TCP port. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

/** Parses a whole number of at most nine digits. @throws InvalidArgumentError for another text */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}

/** Parses a size to bytes. */
export function byteSize(text: string): number {
  const [, number, unit] = /^(\d{1,9})(kB|MB|GB|KiB|MiB|GiB)?$/i.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError('A size is a number of bytes, or one of kB, MB or GB, as 100MB.');
  const [letter = ''] = unit ?? '';
  return Number(number) * 1024 ** ' kmg'.indexOf(letter.toLowerCase() || ' ');
}

/** Parses a duration of up to about a minute, to milliseconds. */
export function seconds(text: string): number {
  if (!/^\d{1,2}s$/.test(text)) throw new InvalidArgumentError('It is a number of seconds from 0s to 99s, as 5s.');
  return Number(text.slice(0, -1)) * 1000;
}

/** Parses an API key. */
export function apiKey(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty: omit it for a new one.');
  return text;
}

/** Parses a server's address, and removes a trailing `/`. */
export function webAddress(text: string): string {
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('An address begins with http:// or https://, such as http://localhost:8801.');
  return text.replace(/\/+$/, '');
}

/** Creates the option for the address of a running server. */
export function urlOption(description: string): Option {
  return new Option('--url <address>', description).env('SANDBOX_URL').argParser(webAddress);
}

/** The default address of a server. */
export const USUAL_URL = 'http://localhost:8801';

/** Creates the option for the key of a running server; `exec` sets it for its command. */
export function keyOption(): Option {
  return new Option('--key <text>', 'API key of the world')
    .env('SANDBOX_API_KEY')
    .default(process.env['SANDBOX_KEY'], 'SANDBOX_KEY');
}

/** Parses the clock's mode. */
export function clockName(text: string): 'frozen' | 'realtime' {
  if (text !== 'frozen' && text !== 'realtime') throw new InvalidArgumentError('A clock is frozen or realtime.');
  return text;
}

/** Parses a `name=value` of a repeatable option, and adds it to earlier ones. */
export function variable(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([A-Za-z_][\w.]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('A variable is given as name=value.');
  return { ...before, [name]: value };
}
