import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root.js';

/** A fenced block of a document. */
export interface Block {
  readonly file: string;
  /** Of its first fence, from 1. */
  readonly line: number;
  /** The nearest heading above it. */
  readonly heading: string;
  readonly language: string;
  /** What stands behind the language: `file=bikes.mjs`, `POST /seed`, `not-run=network`. */
  readonly attribute: string;
  readonly text: string;
}

/** Why a block is not run. There are no other reasons. */
export const REASONS: Readonly<Record<string, string>> = {
  network: 'needs the network',
  language: 'needs a language that Debian does not have',
  daemon:
    'needs a program that a test cannot start: an editor, Docker, a service of CI, a browser with a page of somebody else',
  minutes: 'takes minutes',
  drawing: 'a drawing',
};

const BLOCK = /^#+ (.+)$|^( *)```(\w*)(?: (.+))?\n([^]*?\n)?\2```$/gm;

/** The first line of pages that a program writes: what stands there is compared with the generator (links.test.ts). */
const GENERATED = /^<!-- Made by /;

/** Documents with blocks: the README and every page of docs that a person writes. */
export const DOCUMENTS: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .filter((path) => !GENERATED.test(readFileSync(join(ROOT, path), 'utf8')))
    .sort(),
];

const known = new Map<string, readonly Block[]>();

/** The fenced blocks of a document, in their order. @param heading only those below this one */
export function blocksOf(file: string, heading?: string): readonly Block[] {
  const all = known.get(file) ?? parse(file);
  known.set(file, all);
  return heading === undefined ? all : all.filter((block) => block.heading === heading);
}

/** Why a block is not run, if it says so. */
export function reasonOf(block: Block): string | undefined {
  return /^not-run=(\w+)$/.exec(block.attribute)?.[1];
}

/** The program or file that a block shows under a name: its first line is a comment with the name. */
export function nameOf({ text }: Block): string | undefined {
  return /^(?:#|\/\/|<\?php \/\/) ([\w./-]+\.\w+)(?::.*)?\n/.exec(text)?.[1];
}

/** The block of a document that shows the file of this name. */
export function documented(file: string, name: string): string {
  const found = blocksOf(file).find((block) => nameOf(block) === name || block.attribute === `file=${name}`);
  if (!found) throw new Error(`${file} has no ${name}`);
  return found.text;
}

/** A block as people find it: `file:line`. */
export function placeOf({ file, line }: Block): string {
  return `${file}:${line}`;
}

function parse(file: string): Block[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks: Block[] = [];
  let heading = '';
  for (const { index, 1: title, 2: indent, 3: language, 4: attribute = '', 5: body = '' } of text.matchAll(BLOCK)) {
    if (title !== undefined) {
      heading = title;
      continue;
    }
    const line = text.slice(0, index).split('\n').length;
    blocks.push({
      file,
      line,
      heading,
      language,
      attribute,
      text: body.replaceAll(`\n${indent}`, '\n').slice(indent.length),
    });
  }
  return blocks;
}

/** A console block: its commands, each with the lines that it shows as its output. */
export function commandsOf({ text }: Block): { readonly command: string; readonly shown: readonly string[] }[] {
  const commands: { command: string; shown: string[] }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2).replace(/ {2,}# .*$/, ''), shown: [] });
    else if (last?.command.endsWith('\\')) last.command += `\n${line}`;
    else if (last) last.shown.push(line);
    else throw new Error(`a console block begins with '$ ', not with '${line}'`);
  }
  return commands;
}
