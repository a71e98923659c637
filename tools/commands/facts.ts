import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadPack, type LoadedPack } from '../../engine/index.js';
import { mustExist } from '../command/input-file.js';
import { findPack, shownFolder } from '../command/installation.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { documentFacts, factsFile, FACTS_FILE, type FactsSource, FORMATS, routeShape } from '../openapi/index.js';

/** The options of `sandbox facts`, read. */
export interface FactsCommand {
  /** What the document is called in the file; its own title and version unless given. */
  readonly from?: string;
  /** Forms of text that the vendor enforces. */
  readonly formats: readonly string[];
  /** Write nothing: fail if the file says something else. */
  readonly check?: boolean;
  readonly quiet?: boolean;
}

/**
 * Writes the facts of a vendor's documents into its pack, and gives the exit code.
 * @throws Failure when a document cannot be used, or the pack has errors
 */
export async function facts(
  given: string,
  documents: readonly string[],
  { from, formats, check, quiet }: FactsCommand,
  output: Output,
): Promise<number> {
  const folder = await findPack(given);
  const unknown = formats.find((each) => !Object.hasOwn(FORMATS, each));
  if (unknown !== undefined)
    throw new Failure(
      Exit.cannotRun,
      'option_invalid',
      `there is no form of text '${unknown}'`,
      `Known are ${Object.keys(FORMATS).join(', ')}.`,
    );
  for (const each of documents) mustExist(resolve(each), 'openapi_invalid', each);
  const { pack, problems, source } = loadPack(folder);
  if (pack === null) throw rejection({ problems, source }, output.colorErrors);
  const sources: FactsSource[] = [];
  for (const each of documents) sources.push(await documentFacts(resolve(each), pack, new Set(formats)));
  const text = factsFile(folder, sources, from);
  const file = join(folder, FACTS_FILE);
  if (check) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return Exit.done;
    output.error(`${shownFolder(folder)}${FACTS_FILE} is out of date`);
    return Exit.wrongInput;
  }
  writeFileSync(file, text);
  if (!quiet) output.print(summary(shownFolder(folder), sources, pack, text));
  return Exit.done;
}

function summary(
  folder: string,
  sources: readonly FactsSource[],
  pack: NonNullable<LoadedPack['pack']>,
  text: string,
): string {
  const all = new Map(sources.flatMap(({ operations }) => [...operations]));
  const params = [...all.values()].reduce((sum, each) => sum + Object.keys(each.params ?? {}).length, 0);
  const known = new Set([...all.keys()].map(routeShape));
  const served = pack.operations.filter(({ routes }) =>
    routes.some(({ method, path }) => known.has(routeShape(`${method} ${path}`))),
  );
  return (
    `${folder}${FACTS_FILE}: ${counted(all.size, 'operation')} with ${counted(params, 'parameter')} ` +
    `(${Math.ceil(Buffer.byteLength(text) / 1024)} KB). ` +
    `${served.length} of ${counted(pack.operations.length, 'operation')} of the pack are in it.`
  );
}
