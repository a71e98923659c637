import { dirname } from 'node:path';
import { loadPack, reportUndescribed } from '../../engine/compile/index.js';
import type { Program } from '../../engine/program/index.js';
import { formatProblems, PackCache, type PackSource, type Problem } from '../../engine/pack/index.js';
import type { ExampleResults } from '../examples/index.js';
import { allPacks, findPack, isCompanyFile, shownFolder } from '../command/installation.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';
import { watchFolder } from '../command/watch.js';
import { countProblems, problemText } from '../command/problems.js';
import { stopped } from '../command/stopped.js';

/** The parsed options of `sandbox validate-pack`. */
export interface ValidateOptions {
  readonly format: 'text' | 'json' | 'github';
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly complete?: boolean;
  readonly quiet?: boolean;
  readonly examples?: boolean;
  readonly watch?: boolean;
}

/** Numbers of a pack's declarations. */
export interface Summary {
  readonly resources: number;
  readonly operations: number;
  readonly events: number;
  readonly causes: number;
  readonly pins: number;
  readonly magic_values: number;
  readonly scenarios: number;
}

interface Checked {
  readonly source: PackSource;
  readonly problems: readonly Problem[];
  readonly pack: Program | null;
  readonly valid: boolean;
  /** Results of the pack's examples; null: they didn't run. */
  readonly examples: ExampleResults | null;
}

/** Checks packs and returns the exit code. @throws Failure if a pack doesn't exist */
export async function validatePacks(
  given: readonly string[],
  options: ValidateOptions,
  output: Output,
): Promise<number> {
  const folders = given.length > 0 ? await Promise.all(given.map((each) => findPack(each))) : allPacks();
  if (folders.length === 0) throw new Failure(Exit.cannotRun, 'pack_not_found', 'there is no pack in packs/');
  const checkAll = async (): Promise<number> => showAll(await checkEach(folders, options), options, output);
  if (!options.watch) return checkAll();
  // Starts watching before the first check, so that no change is missed.
  let code = Promise.resolve<number>(Exit.done);
  const watches = folders.map((folder) =>
    watchFolder(isCompanyFile(folder) ? dirname(folder) : folder, () => {
      code = code.then(() => {
        if (!options.quiet && !options.json) output.print('');
        return checkAll();
      });
    }),
  );
  const ended = stopped();
  code = checkAll();
  await ended;
  for (const watch of watches) watch.close();
  return code;
}

async function checkEach(folders: readonly string[], options: ValidateOptions): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const folder of folders) checked.push(await check(folder, options));
  return checked;
}

/** Prints the problems and returns the exit code. */
function showAll(checked: readonly Checked[], options: ValidateOptions, output: Output): number {
  const valid = checked.every((each) => each.valid);
  const format = options.json ? 'json' : options.format;
  if (format === 'json') output.print(JSON.stringify({ valid, packs: checked.map(report) }, null, 2));
  else for (const each of checked) show(each, format, options, output);
  return valid ? Exit.done : Exit.wrongInput;
}

/** Counts the declarations of a pack. */
export function summarise(pack: Program): Summary {
  return {
    resources: pack.resources.length,
    operations: pack.operations.length,
    events: pack.eventTypes.length,
    causes: pack.causes.size,
    pins: pack.resources.reduce((sum, { pins }) => sum + pins.length, 0),
    magic_values: pack.magic.families.reduce((sum, family) => sum + family.values().size, 0),
    scenarios: pack.scenarios().size,
  };
}

async function check(folder: string, options: ValidateOptions): Promise<Checked> {
  if (isCompanyFile(folder)) return checkCompanyFile(folder, options);
  const { strict, complete, examples: wanted } = options;
  const { pack, problems: found, source } = loadPack(folder, { cache: PackCache.ofInstallation(), recheck: true });
  const examples = wanted && pack ? await examplesOf(source) : null;
  const undescribed = complete && pack ? reportUndescribed(pack) : [];
  const acting = pack ? await (await import('../../engine/company/index.js')).checkActors(pack) : [];
  const problems = [...found, ...undescribed, ...acting, ...(examples?.problems ?? [])];
  const counting = strict ? problems : problems.filter(({ severity }) => severity === 'error');
  return { source, problems, pack, valid: pack !== null && counting.length === 0, examples };
}

async function checkCompanyFile(path: string, { strict }: ValidateOptions): Promise<Checked> {
  const { checkCompany } = await import('../../engine/company/index.js');
  const { problems, source } = await checkCompany(path);
  const valid = problems.every(({ severity }) => !strict && severity !== 'error');
  return { source, problems, pack: null, valid, examples: null };
}

async function examplesOf(source: PackSource): Promise<ExampleResults> {
  const { runExamples } = await import('../examples/index.js');
  return runExamples(source);
}

function show(checked: Checked, format: 'text' | 'github', { quiet }: ValidateOptions, output: Output): void {
  const { source, problems, pack, valid, examples } = checked;
  if (problems.length > 0) {
    const prefix = shownFolder(source.dir);
    output.print(
      format === 'text'
        ? problemText(checked, output.colorOutput)
        : formatProblems(problems, { format, color: false, prefix }),
    );
  }
  if (quiet) return;
  const folder = shownFolder(source.dir);
  const [first] = source.files;
  const name = first?.kind === 'company' ? `${folder}${first.path}` : folder.replace(/\/$/, '');
  const verdict = valid ? output.styled('green', 'ok') : output.styled('red', 'wrong');
  const what = pack ? `  ${pack.model.settings.name} ${pack.model.settings.version}` : '';
  output.print(`${name}  ${verdict}${what}${problems.length > 0 ? `  ${countProblems(problems)}` : ''}`);
  if (pack) output.print(`  ${sentence(summarise(pack))}`);
  if (examples) output.print(`  ${counted(examples.examples, 'example')} ran, ${counted(examples.calls, 'call')}`);
}

function sentence(summary: Summary): string {
  const { resources, operations, events, causes, pins, magic_values: values, scenarios } = summary;
  return [
    counted(resources, 'resource'),
    counted(operations, 'operation'),
    counted(events, 'event'),
    counted(causes, 'cause'),
    counted(pins, 'pin'),
    counted(values, 'magic value'),
    counted(scenarios, 'scenario'),
  ].join(', ');
}

function report({ source, problems, pack, valid, examples }: Checked): Readonly<Record<string, unknown>> {
  const folder = shownFolder(source.dir);
  return {
    folder: folder.replace(/\/$/, ''),
    name: pack?.model.settings.name ?? null,
    version: pack?.model.settings.version ?? null,
    valid,
    summary: pack ? summarise(pack) : null,
    ...(examples && { examples: { examples: examples.examples, calls: examples.calls } }),
    problems: problems.map((problem) => ({ ...problem, file: folder + problem.file })),
  };
}
