import { writeFileSync } from 'node:fs';
import { loadPack } from '../../engine/index.js';
import type { CompiledPack } from '../../engine/operation/index.js';
import { findPack } from '../installation.js';
import { Exit, Failure, type Output } from '../output.js';
import { refusal } from '../problems.js';
import { explain, nearest, reference } from '../reference/index.js';

/** The options of `sandbox docs`, read. */
export interface DocsOptions {
  readonly out?: string;
}

/**
 * Prints a pack as a reference in Markdown, or writes it to a file; gives the exit code.
 * @throws Failure when there is no such pack or it has errors
 */
export async function docs(given: string, { out }: DocsOptions, output: Output): Promise<number> {
  const text = reference(await soundPack(given, output));
  if (out === undefined) output.print(text.trimEnd());
  else writeFileSync(out, text);
  return Exit.done;
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
