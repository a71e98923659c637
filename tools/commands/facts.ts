import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadPack, type LoadedPack } from '../../engine/index.js';
import { mustExist } from '../command/input-file.js';
import { findPack, shownFolder } from '../command/installation.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import type { FactsFile } from '../../engine/model/index.js';
import { routeShape } from '../../engine/program/index.js';
import {
  changedOperations,
  documentFacts,
  factsFile,
  FACTS_FILE,
  type FactsOperations,
  type FactsSource,
  FORMATS,
  graphqlFacts,
} from '../openapi/index.js';

/** The parsed options of `sandbox facts`. */
export interface FactsCommand {
  /** The document's name in the file; its own title and version by default. */
  readonly from?: string;
  /** Text formats that the vendor enforces. */
  readonly formats: readonly string[];
  /** The pack's version from which the documents apply; the file contains what differs. */
  readonly since?: string;
  /** Whether to write nothing, and fail if the file would change. */
  readonly check?: boolean;
  readonly quiet?: boolean;
}

/**
 * Writes the facts of a vendor's documents into its pack; returns the exit code.
 * @throws Failure if a document can't be used, or the pack has errors
 */
export async function facts(
  given: string,
  documents: readonly string[],
  { from, formats, since, check, quiet }: FactsCommand,
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
  const kept = source.one('facts')?.data as unknown as FactsFile | undefined;
  const schemas = documents.filter((each) => GRAPHQL.test(each));
  const sources: FactsSource[] = [];
  for (const each of documents)
    if (!schemas.includes(each)) sources.push(await documentFacts(resolve(each), pack, new Set(formats)));
  const found: FactsOperations = new Map(sources.flatMap(({ operations }) => [...operations]));
  const titles = sources.length > 0 ? sources.map((each) => each.title).join(', ') : kept?.document;
  const title = from ?? titles ?? schemas.join(', ');
  const types = schemas.flatMap((each) => Object.entries(graphqlFacts(resolve(each))));
  const graphql = types.length === 0 ? kept?.graphql : Object.fromEntries(types);
  const { differs, searches, versions = {} } = kept ?? {};
  const text =
    since === undefined
      ? factsFile(folder, sources.length > 0 ? found : ownOperations(kept), {
          document: title,
          versions,
          graphql,
          searches,
          differs,
        })
      : factsFile(folder, ownOperations(kept), {
          document: kept?.document ?? title,
          versions: withVersion(pack, kept, since, found),
          graphql,
          searches,
          differs,
        });
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

/** Matches names of files in GraphQL's schema language. */
const GRAPHQL = /\.(?:graphqls?|gql|sdl)$/;

function ownOperations(kept: Pick<FactsFile, 'operations'> | undefined): FactsOperations {
  return new Map(Object.entries(kept?.operations ?? {}));
}

/** Adds a version to a file, with its differences from the previous one. @throws Failure for an unknown version */
function withVersion(
  pack: NonNullable<LoadedPack['pack']>,
  kept: FactsFile | undefined,
  since: string,
  found: FactsOperations,
): NonNullable<FactsFile['versions']> {
  const names = pack.versions?.all.map(({ name }) => name) ?? [];
  if (!names.includes(since))
    throw new Failure(
      Exit.cannotRun,
      'option_invalid',
      `the pack has no version '${since}'`,
      names.length === 0 ? 'It has no versions.' : `It has ${names.join(', ')}.`,
    );
  const before = new Map(ownOperations(kept));
  const versions = kept?.versions ?? {};
  for (const name of names.slice(0, names.indexOf(since))) {
    const { operations = {}, gone = [] } = versions[name] ?? {};
    const replaced = new Set([...Object.keys(operations), ...gone].map(routeShape));
    for (const route of [...before.keys()]) if (replaced.has(routeShape(route))) before.delete(route);
    for (const [route, facts] of ownOperations({ operations })) before.set(route, facts);
  }
  const all = { ...versions, [since]: changedOperations(before, found) };
  return Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
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
