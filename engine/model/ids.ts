import { type TextPattern, textPattern } from '../expression/index.js';
import { type RandomStream } from '../world/index.js';
import type { PackFile } from './files.js';

/** How ids of a resource look: how one is made and which ones a seed may bring. */
export interface IdFormat {
  readonly prefix: string;
  readonly pattern: TextPattern;
  make(random: RandomStream): string;
}

type Part = string | { readonly random: number };

/**
 * Compiles an id format.
 * @param fill replaces `${vars.name}` in a literal part
 */
export function idFormat(
  prefix: string,
  file: { readonly parts: readonly Part[]; readonly pattern?: string },
  fill: (text: string) => string,
  pattern?: string,
): IdFormat {
  const parts = file.parts.map((part) => (typeof part === 'string' ? fill(part) : part));
  const derived = parts
    .map((part) => (typeof part === 'string' ? escape(part) : `[0-9A-Za-z]{${part.random}}`))
    .join('');
  return {
    prefix,
    pattern: textPattern(pattern ?? whole(prefix, file.pattern ?? derived)),
    make: maker([prefix, ...parts]),
  };
}

/** Fills in the random parts of an id whose other parts stand ready. */
function maker(parts: readonly Part[]): IdFormat['make'] {
  const ready = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.alloc(part.random))),
  );
  const spans: { readonly from: number; readonly to: number }[] = [];
  let at = 0;
  for (const part of parts) {
    const from = at;
    at += typeof part === 'string' ? Buffer.byteLength(part) : part.random;
    if (typeof part !== 'string') spans.push({ from, to: at });
  }
  return (random) => {
    for (const { from, to } of spans) random.fill(ready, from, to);
    return ready.toString();
  };
}

/** The format of ids that are made of random characters alone. */
export const PLAIN_ID: NonNullable<PackFile['ids']>[string] = { parts: [{ random: 16 }] };

/** The pattern of a whole id; a group around the rest only where it needs one. */
function whole(prefix: string, rest: string): string {
  return `^${escape(prefix)}${rest.includes('|') ? `(?:${rest})` : rest}$`;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
