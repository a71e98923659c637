import { readFileSync, writeFileSync } from 'node:fs';
import { loadPack } from '../../engine/index.js';
import type { CompiledPack } from '../../engine/compile/index.js';
import { findPack } from '../installation.js';
import { Exit, Failure, type Output } from '../output.js';
import { refusal } from '../problems.js';
import { explain, nearest, overview, reference } from '../reference/index.js';
import { readVendorCalls } from '../vendor-calls.js';

/** The options of `sandbox docs`, read. */
export interface DocsOptions {
  readonly out?: string;
  readonly overview?: boolean;
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
  const text = options.overview === true ? overview(pack, await overviewParts(options)) : reference(pack);
  if (out === undefined) output.print(text.trimEnd());
  else writeFileSync(out, text);
  return Exit.done;
}

async function overviewParts({ calls, notes }: DocsOptions) {
  return {
    ...(calls === undefined ? {} : { calls: await readVendorCalls(calls) }),
    ...(notes === undefined ? {} : { notes: readNotes(notes) }),
  };
}

function readNotes(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Failure(Exit.wrongInput, 'notes_file', `${file} cannot be read`);
  }
}

/**
 * Tells what a pack says about one name.
 * @throws Failure when it says nothing
 */
export async function explainName(given: string, name: string, output: Output): Promise<number> {
  const pack = await soundPack(given, output);
  const text = explain(pack, name);
  if (text === undefined) {
    const meant = nearest(pack, name);
    throw new Failure(
      Exit.wrongInput,
      'unknown_name',
      `the pack has no operation, error, event, flow or duration '${name}'${meant === undefined ? '' : ` (did you mean '${meant}'?)`}`,
    );
  }
  output.print(text);
  return Exit.done;
}

async function soundPack(given: string, output: Output): Promise<CompiledPack> {
  const { pack, problems, source } = loadPack(await findPack(given));
  if (pack) return pack;
  throw refusal({ problems: problems.filter(({ severity }) => severity === 'error'), source }, output.colorErrors);
}
