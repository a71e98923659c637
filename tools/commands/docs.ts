import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CompiledPack } from '../../engine/compile/index.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { soundPack } from '../command/sound-pack.js';
import { nameReference, MADE, nearest, type Pages, reference, referencePages } from '../reference/index.js';
import { readVendorCalls } from '../command/vendor-calls.js';

/** The parsed options of `sandbox docs`. */
export interface DocsOptions {
  readonly out?: string;
  /** Whether to write linked pages into the folder `out`. */
  readonly pages?: true;
  /** File with a list of the vendor's calls, for a page that shows which of them the pack serves. */
  readonly calls?: string;
}

/**
 * Prints a pack's reference in Markdown, or writes it to a file; returns the exit code.
 * @throws Failure if there is no such pack or it has errors, or the file of calls can't be read
 */
export async function docs(given: string, { out, pages, calls }: DocsOptions, output: Output): Promise<number> {
  const pack = await soundPack(given, output);
  if (pages) {
    if (out === undefined) throw new Failure(Exit.cannotRun, 'no_folder', '--pages needs --out with a folder');
    const known = calls === undefined ? [] : await readVendorCalls(calls);
    writePages(referencePages(pack, { calls: known, written: handWritten(out) }), out);
  } else if (out === undefined) output.print(reference(pack).trimEnd());
  else writeFileSync(out, reference(pack));
  return Exit.done;
}

/** Removes generated pages, since a resource may be gone. Hand-written ones stay. */
export function removeMade(folder: string): void {
  for (const file of filesOf(folder)) if (isMade(join(folder, file))) rmSync(join(folder, file));
}

function writePages(pages: Pages, folder: string): void {
  removeMade(folder);
  for (const [file, text] of pages) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Lists hand-written pages at the top of a folder, with their titles. */
export function handWritten(folder: string): (readonly [file: string, title: string])[] {
  return filesOf(folder)
    .filter((file) => dirname(file) === '.' && !isMade(join(folder, file)))
    .map((file) => [file, /^# (.+)$/m.exec(readFileSync(join(folder, file), 'utf8'))?.[1] ?? file] as const);
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
}

function isMade(path: string): boolean {
  return readFileSync(path, 'utf8').startsWith(MADE);
}

/** The parsed options of `sandbox explain`. */
export interface ExplainOptions {
  /** Whether to print the compiled JavaScript instead. */
  readonly js?: boolean;
}

/** Prints what a pack declares about a name. @throws Failure if it declares nothing */
export async function explainName(
  given: string,
  name: string,
  { js = false }: ExplainOptions,
  output: Output,
): Promise<number> {
  const pack = await soundPack(given, output, js);
  const text = js ? javascriptOf(pack, name) : nameReference(pack, name);
  if (text === undefined) {
    const meant = nearest(pack, name);
    throw new Failure(
      Exit.cannotRun,
      'unknown_name',
      `the pack has no operation, error, event, flow or duration '${name}'${meant === undefined ? '' : ` (did you mean '${meant}'?)`}`,
      `'sandbox docs ${given}' lists them.`,
    );
  }
  output.print(text);
  return Exit.done;
}

/** Returns the compiled JavaScript of an operation, a flow, an error, a page, or anything by its name in stack traces. */
function javascriptOf({ model, operations }: CompiledPack, name: string): string | undefined {
  const [method, path] = name.split(' ');
  const called = operations.find(
    ({ key, routes }) => key === name || routes.some((route) => route.method === method && route.path === path),
  );
  const names = [`operation ${called?.key ?? name}`, `flow ${name}`, `error ${name}`, `page ${name}`, name];
  const texts = names.flatMap((each) => model.env.texts?.named(each) ?? []);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
