import { type RandomStream } from '../world/index.js';
import type { PackFile } from './files.js';

/** How ids of a resource look: how one is made and which ones a seed may bring. */
export interface IdFormat {
  readonly prefix: string;
  readonly pattern: RegExp;
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
  const make = (random: RandomStream): string => {
    let id = prefix;
    for (const part of parts) id += typeof part === 'string' ? part : random.text(part.random);
    return id;
  };
  return { prefix, pattern: new RegExp(pattern ?? `^${escape(prefix)}(?:${file.pattern ?? derived})$`), make };
}

/** The format of ids that are made of random characters alone. */
export const PLAIN_ID: NonNullable<PackFile['ids']>[string] = { parts: [{ random: 16 }] };

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
