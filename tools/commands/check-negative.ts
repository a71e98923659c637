import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack, type LoadedPack } from '../../engine/index.js';
import type { FactsFile } from '../../engine/model/index.js';
import { mustExist } from '../command/input-file.js';
import { findPack, shownFolder } from '../command/installation.js';
import { counted, Exit, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import type { NegativeReport } from '../openapi/negative.js';
import { breakConstraints, type NegativeSource } from '../openapi/negative-run.js';
import { CONTRACT_FILE, documentFacts, FACTS_FILE } from '../openapi/index.js';

export interface NegativeOptions {
  readonly seed: number;
  readonly all?: boolean;
  readonly json?: boolean;
  /** Maximum percentage of accepted invalid calls. */
  readonly most: number;
}

const MOST_SHOWN = 60;

/**
 * Violates the constraints of a document one at a time and reports the calls that the pack accepts anyway; returns the exit code.
 * @param file the document; by default the one that the pack was imported from, else the pack's own facts
 * @throws Failure if there is no such pack or document, or the pack has errors
 */
export async function checkNegative(
  given: string,
  file: string | undefined,
  options: NegativeOptions,
  output: Output,
): Promise<number> {
  const folder = await findPack(given);
  if (file !== undefined) mustExist(file, 'openapi_invalid', file);
  const { pack, problems, source } = loadPack(folder);
  if (pack === null) throw rejection({ problems, source }, output.colorErrors);
  // Generates valid calls from the document that an imported pack contains.
  const contract = join(folder, CONTRACT_FILE);
  const asked = file ?? (existsSync(contract) ? contract : undefined);
  const document = asked === undefined ? ownFacts(folder, source) : await documentFacts(asked, pack, new Set());
  const reports = await breakConstraints(source, [document], options.seed);
  const { json, all, most } = options;
  const sum = summaryOf(reports);
  if (json)
    output.print(JSON.stringify({ pack: given, seed: options.seed, ...sum, report: all ? reports : wrongOf(reports) }));
  else print(given, reports, sum, all === true, output);
  return sum.failed > 0 || sum.accepted * 100 > most * sum.broken ? Exit.wrongInput : Exit.done;
}

function ownFacts(folder: string, source: LoadedPack['source']): NegativeSource {
  const path = join(folder, FACTS_FILE);
  if (!existsSync(path)) mustExist(path, 'openapi_invalid', `${shownFolder(folder)}${FACTS_FILE}`, 'Name a document.');
  const { operations = {} } = (source.one('facts')?.data ?? {}) as Partial<FactsFile>;
  return { operations: new Map(Object.entries(operations)), contract: null };
}

/** Results of invalid calls: their number, and how many were rejected or accepted. */
export interface NegativeSummary {
  readonly operations: number;
  /** Number of operations for which a valid call succeeded. */
  readonly valid: number;
  readonly broken: number;
  readonly accepted: number;
  /** Invalid calls that the vendor accepts too; not counted as accepted. */
  readonly lenient: number;
  readonly failed: number;
  readonly by_kind: Readonly<Record<string, { readonly accepted: number }>>;
}

export function summaryOf(reports: readonly NegativeReport[]): NegativeSummary {
  const accepted = reports.flatMap((each) => each.accepted);
  const byKind: Record<string, { accepted: number }> = {};
  for (const { kind } of accepted) (byKind[kind] ??= { accepted: 0 }).accepted++;
  return {
    operations: reports.length,
    valid: reports.filter(({ valid }) => valid).length,
    broken: reports.reduce((sum, each) => sum + each.broken, 0),
    accepted: accepted.length,
    lenient: reports.reduce((sum, each) => sum + each.lenient.length, 0),
    failed: reports.reduce((sum, each) => sum + each.failed.length, 0),
    by_kind: byKind,
  };
}

function wrongOf(reports: readonly NegativeReport[]): readonly NegativeReport[] {
  return reports.filter(({ accepted, failed }) => accepted.length + failed.length > 0);
}

function print(
  pack: string,
  reports: readonly NegativeReport[],
  { operations, valid, broken, accepted, lenient, failed, by_kind }: NegativeSummary,
  all: boolean,
  output: Output,
): void {
  const share = broken === 0 ? 0 : Math.ceil((accepted * 1000) / broken) / 10;
  output.print(
    `${pack}: ${accepted} of ${counted(broken, 'broken call')} are accepted (${share} %), ${failed} end in a defect; ` +
      `${valid} of ${counted(operations, 'operation')} have a valid call`,
  );
  if (lenient > 0)
    output.print(`  ${counted(lenient, 'call')} more are accepted as the vendor does (differs of facts.yaml)`);
  for (const [kind, { accepted: times }] of Object.entries(by_kind).sort(([, a], [, b]) => b.accepted - a.accepted))
    output.print(`  ${kind.padEnd(12)} ${times}`);
  const wrong = wrongOf(reports);
  const lines = wrong.flatMap(({ operation, accepted: taken, failed: broke }) => [
    ...broke.map(({ kind, param, status }) => `  ${operation}: ${param} (${kind}) ended in ${status}`),
    ...taken.map(({ kind, param }) => `  ${operation}: ${param} (${kind})`),
  ]);
  for (const line of all ? lines : lines.slice(0, MOST_SHOWN)) output.print(line);
  if (!all && lines.length > MOST_SHOWN) output.print(`  and ${lines.length - MOST_SHOWN} more (--all lists them)`);
  if (all)
    for (const { operation } of reports.filter((each) => !each.valid)) output.print(`  ${operation}: no valid call`);
}
