import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CompiledPack } from '../../engine/compile/index.js';
import { readInputFile } from '../command/input-file.js';
import { Exit, Failure, type Output } from '../command/output.js';
import { soundPack } from '../command/sound-pack.js';
import {
  explain,
  MADE,
  nearest,
  overview,
  type Pages,
  reference,
  referencePages,
  relinked,
} from '../reference/index.js';
import { readVendorCalls } from '../command/vendor-calls.js';

/** The options of `sandbox docs`, read. */
export interface DocsOptions {
  readonly out?: string;
  readonly overview?: boolean;
  /** Write linked pages into the folder `out`. */
  readonly pages?: true;
  /** File with the vendor's calls, for the overview. */
  readonly calls?: string;
  /** File with what the overview ends with. */
  readonly notes?: string;
}

/**
 * Prints a pack as a reference in Markdown, or writes it to a file; gives the exit code.
 * @throws Failure when there is no such pack or it has errors, or a file of the overview cannot be read
 */
export async function docs(given: string, options: DocsOptions, output: Output): Promise<number> {
  const { out } = options;
  const pack = await soundPack(given, output);
  if (options.pages) {
    if (out === undefined) throw new Failure(Exit.cannotRun, 'no_folder', '--pages needs --out with a folder');
    const { notes } = options;
    const told = notes === undefined ? '' : readNotes(notes, out);
    writePages(referencePages(pack, told), out);
    return Exit.done;
  }
  const text = options.overview === true ? overview(pack, await overviewParts(options)) : reference(pack);
  if (out === undefined) output.print(text.trimEnd());
  else writeFileSync(out, text);
  return Exit.done;
}

function writePages(pages: Pages, folder: string): void {
  for (const path of madePages(folder)) rmSync(path);
  for (const [file, text] of pages) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Pages that were made before: a resource may be gone. What somebody wrote stays. */
function madePages(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.md') && readFileSync(path, 'utf8').startsWith(MADE));
}

async function overviewParts({ calls, notes, out = '.' }: DocsOptions) {
  return {
    ...(calls === undefined ? {} : { calls: await readVendorCalls(calls) }),
    ...(notes === undefined ? {} : { notes: readNotes(notes, dirname(out)) }),
  };
}

/** A file of Markdown, with links that lead where they led. @param folder where its text comes to stand */
function readNotes(file: string, folder: string): string {
  return relinked(readInputFile(file, 'notes_file'), dirname(file), folder);
}

/** The options of `sandbox explain`, read. */
export interface ExplainOptions {
  /** Print the JavaScript that is made of it. */
  readonly js?: boolean;
}

/**
 * Tells what a pack says about one name.
 * @throws Failure when it says nothing
 */
export async function explainName(
  given: string,
  name: string,
  { js = false }: ExplainOptions,
  output: Output,
): Promise<number> {
  const pack = await soundPack(given, output, js);
  const text = js ? javascriptOf(pack, name) : explain(pack, name);
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

/** What is made of an operation, a flow, an error, a page, or of anything by the name that stacks show. */
function javascriptOf({ model, operations }: CompiledPack, name: string): string | undefined {
  const [method, path] = name.split(' ');
  const called = operations.find(
    ({ key, routes }) => key === name || routes.some((route) => route.method === method && route.path === path),
  );
  const names = [`operation ${called?.key ?? name}`, `flow ${name}`, `error ${name}`, `page ${name}`, name];
  const texts = names.flatMap((each) => model.env.texts?.named(each) ?? []);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
