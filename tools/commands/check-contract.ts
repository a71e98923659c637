import { join, resolve } from 'node:path';
import { createSandbox, loadPack } from '../../engine/index.js';
import { EXAMPLES_T0, runExamples } from '../examples/index.js';
import { mustExist } from '../command/input-file.js';
import { findPack, shownFolder } from '../command/installation.js';
import { type ContractReport, ContractCheck, isGood, type OperationReport } from '../openapi/check.js';
import { Contract, CONTRACT_FILE, readDocument } from '../openapi/index.js';
import { type Aspect, ASPECTS, isUsable, type Score, scoreOf } from '../openapi/score.js';
import { counted, Exit, type Output } from '../command/output.js';
import { rejection } from '../command/problems.js';

/** The parsed options of `sandbox check-contract`. */
export interface CheckOptions {
  readonly seed: number;
  readonly all?: boolean;
  readonly json?: boolean;
  /** Whether to compare the responses of the document's own examples instead of generated calls. */
  readonly examples?: boolean;
  /** Whether calls violate constraints instead of keeping them. */
  readonly negative?: boolean;
  /** Minimum percentage of usable examples. */
  readonly least: number;
}

const MOST_SHOWN = 40;

/**
 * Compares a pack's responses with an OpenAPI document; returns the exit code: 0 if all responses conform.
 * @param file the document; the pack's own `openapi.json` by default
 * @throws Failure if there is no such pack or document, or the pack has errors
 */
export async function checkContract(
  given: string,
  file: string | undefined,
  options: CheckOptions,
  output: Output,
): Promise<number> {
  const { seed, all, json } = options;
  const folder = await findPack(given);
  const document = file === undefined ? join(folder, CONTRACT_FILE) : resolve(file);
  mustExist(
    document,
    'openapi_invalid',
    file ?? shownFolder(document).replace(/\/$/, ''),
    'Name the document: sandbox check-contract PACK openapi.json',
  );
  const { problems, source } = loadPack(folder);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw rejection({ problems: errors, source }, output.colorErrors);
  const contract = new Contract(await readDocument(document));
  const sandbox = await createSandbox({
    pack: folder,
    seed: `contract ${seed}`,
    t0: EXAMPLES_T0,
    onDefect: () => undefined,
  });
  let report: ContractReport;
  if (options.examples) {
    try {
      return printScore(given, await scoreOf(sandbox, contract), options, output);
    } finally {
      await sandbox.close();
    }
  }
  try {
    const check = new ContractCheck(sandbox, contract, seed);
    await runExamples(source, { onResponse: (call) => void check.take(call.method, call.path, call) });
    report = await check.run();
  } finally {
    await sandbox.close();
  }
  const wrong = report.operations.filter((each) => !isGood(each));
  if (json)
    output.print(
      JSON.stringify({
        pack: given,
        operations: report.operations.length,
        valid: report.good,
        seed,
        report: (all ? report.operations : wrong).map(asJson),
      }),
    );
  else print(given, report, all ? report.operations : wrong, output);
  return wrong.some(({ problems: found, served }) => found.size > 0 && served) ? Exit.wrongInput : Exit.done;
}

/** Descriptions of the aspects of a response that are compared with the document. */
const ASKED: Readonly<Record<Aspect, string>> = {
  status: 'the status of the example',
  keys: 'its keys, with their types',
  lists: 'lists that are not empty',
  echo: 'what was sent and comes back',
  prefix: 'ids that begin alike',
  state: 'the status of the object',
};

function printScore(pack: string, { examples }: Score, { all, json, least }: CheckOptions, output: Output): number {
  const usable = examples.filter(isUsable);
  const share = examples.length === 0 ? 100 : Math.floor((usable.length * 1000) / examples.length) / 10;
  const wrong = examples.filter((each) => !isUsable(each));
  if (json)
    output.print(
      JSON.stringify({ pack, examples: examples.length, usable: usable.length, report: all ? examples : wrong }),
    );
  else {
    output.print(`${pack}: ${usable.length} of ${counted(examples.length, 'example')} are usable (${share} %)`);
    for (const aspect of ASPECTS) {
      const asked = examples.flatMap(({ aspects }) => (aspects[aspect] === undefined ? [] : [aspects[aspect]]));
      const held = asked.filter((each) => each === null).length;
      if (asked.length > 0) output.print(`  ${ASKED[aspect].padEnd(30)} ${held} of ${asked.length}`);
    }
    for (const { example, aspects } of all ? wrong : wrong.slice(0, MOST_SHOWN))
      output.print(`  ${example}: ${Object.values(aspects).find((each) => each !== null)}`);
    if (!all && wrong.length > MOST_SHOWN) output.print(`  and ${wrong.length - MOST_SHOWN} more (--all lists them)`);
  }
  return share < least ? Exit.wrongInput : Exit.done;
}

function asJson({ undocumented, problems, ...rest }: OperationReport): Readonly<Record<string, unknown>> {
  return {
    ...rest,
    undocumented: [...undocumented],
    problems: [...problems].map(([problem, call]) => ({ problem, call })),
  };
}

function print(
  pack: string,
  { operations, good }: ContractReport,
  shown: readonly OperationReport[],
  output: Output,
): void {
  const share = (all: number): number => (all === 0 ? 0 : Math.floor((good * 1000) / all) / 10);
  const served = operations.filter((each) => each.served).length;
  output.print(
    `${pack}: ${good} of ${counted(operations.length, 'operation')} respond as the document says (${share(operations.length)} %)` +
      (served === operations.length ? '' : `; the pack serves ${served} of them (${share(served)} %)`),
  );
  // Lists wrong responses before missing ones.
  const ordered = [...shown.filter((each) => each.served), ...shown.filter((each) => !each.served)];
  for (const each of ordered.slice(0, MOST_SHOWN)) {
    const statuses = Object.entries(each.statuses).map(([status, times]) => `${times} x ${status}`);
    output.print(`  ${each.operation}: ${each.served ? statuses.join(', ') : 'the pack has no such route'}`);
    for (const [problem, call] of each.problems) output.print(`      ${problem} (${call})`);
    if (each.served && each.valid === 0 && each.problems.size === 0 && each.rejected !== undefined)
      output.print(`      never a success: ${each.rejected}`);
  }
  if (shown.length > MOST_SHOWN) output.print(`  and ${shown.length - MOST_SHOWN} more (--json lists all)`);
}
