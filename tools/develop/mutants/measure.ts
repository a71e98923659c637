import { isDeepStrictEqual } from 'node:util';
import { loadSource } from '../../../engine/index.js';
import { PackSource, type Problem, readPack, readText, type SourceFile, USES } from '../../../engine/pack/index.js';
import { EXPRESSION_KINDS } from './kinds-expressions.js';
import { NAME_KINDS } from './kinds-names.js';
import { VALUE_KINDS } from './kinds-values.js';
import { YAML_KINDS } from './kinds-yaml.js';
import type { Mutation, Mutant, Subject } from './mutation.js';
import { Random } from '../../openapi/random.js';
import { readSchema } from '../../reference/schema.js';
import { spotsOf } from './walk.js';

/** All kinds of mutations by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  ...NAME_KINDS,
  ...EXPRESSION_KINDS,
  ...YAML_KINDS,
  ...VALUE_KINDS,
};

/** Keys at the top of a file whose value other files refer to. */
const DECLARING = ['resource', 'collection', 'flow', 'table'];

/** Whether the validator reported a mutation, and where. */
export interface MutantVerdict {
  readonly kind: string;
  readonly file: string;
  readonly mutant: Mutant;
  readonly reported: boolean;
  readonly atLine: boolean;
  /** Reported problems, those nearest to the mutated line first. */
  readonly problems: readonly Problem[];
}

/** A pack to which errors are added. */
export class MutatedPack {
  readonly #source: PackSource;
  readonly #subjects: readonly Subject[];
  readonly #baseline: ReadonlySet<string>;

  /** Loads a pack and remembers its existing problems. @throws Error if the unchanged pack has errors */
  constructor(readonly folder: string) {
    const { source, problems } = readPack(folder);
    this.#source = source;
    const known = loadSource(source, problems).problems;
    const error = known.find(({ severity }) => severity === 'error');
    if (error) throw new Error(`${folder} has errors: ${error.file}:${error.line} ${error.message}`);
    this.#baseline = new Set(known.map(keyOf));
    this.#subjects = subjectsOf(source.files);
  }

  /** Adds one error of a kind; undefined if there is no location for it, or it changes nothing. */
  try(kind: string, random: Random): MutantVerdict | undefined {
    for (const subject of shuffled(this.#subjects, random)) {
      const mutant = MUTATIONS[kind](subject, random);
      if (mutant === undefined) continue;
      const { file, problems } = readText(subject.file.path, subject.file.kind, mutant.text);
      if (!file.broken && isDeepStrictEqual(file.data, subject.file.data)) continue;
      return this.#judge(kind, subject.file, file, mutant, problems);
    }
    return undefined;
  }

  #judge(
    kind: string,
    before: SourceFile,
    after: SourceFile,
    mutant: Mutant,
    found: readonly Problem[],
  ): MutantVerdict {
    const files = this.#source.files.map((each) => (each === before ? after : each));
    const { problems } = loadSource(new PackSource(this.folder, files, mutant.text), found);
    const fresh = problems.filter((problem) => !this.#baseline.has(keyOf(problem)));
    const atLine = fresh.some((problem) => isAt(problem, after, mutant, files));
    return { kind, file: after.path, mutant, reported: fresh.length > 0, atLine, problems: fresh };
  }
}

/** Finds the keys and values in each file that can be mutated, and all names that the pack declares or uses. */
function subjectsOf(files: readonly SourceFile[]): Subject[] {
  const all = files.map((file) => ({ file, spots: spotsOf(file.text, file.kind) }));
  const names = new Map<string, 'declared' | 'used'>();
  const found = all.flatMap(({ file, spots }) => spots.map((spot) => ({ ...spot, isUse: USES.has(file.kind) })));
  for (const { key, keyIs } of found)
    if (key && keyIs === 'name') names.set(key.text, names.has(key.text) ? 'used' : 'declared');
  for (const { path, scalar } of found)
    if (path.length === 1 && DECLARING.includes(String(path[0]))) names.set(String(scalar?.value), 'declared');
  for (const { scalar, isUse } of found)
    for (const [word] of isUse ? [] : String(scalar?.value ?? '').matchAll(/[A-Za-z_][\w.-]*/g))
      for (const name of [word, ...word.split('.')]) if (names.has(name)) names.set(name, 'used');
  return all.map((each) => ({ ...each, files, names, required: readSchema(each.file.kind).required ?? [] }));
}

/**
 * Whether a problem is reported on the mutated line. If a declaration was changed, lines that use its name also count, since the name no longer
 * exists.
 */
function isAt(
  { file, line, message }: Problem,
  after: SourceFile,
  { line: wanted, name, owner }: Mutant,
  files: readonly SourceFile[],
): boolean {
  if (file === after.path && (line === wanted || line === owner)) return true;
  if (name === undefined) return false;
  const text = files.find((each) => each.path === file)?.text.split('\n')[line - 1] ?? '';
  const word = new RegExp(`(?<![\\w])${name.replaceAll('.', '\\.')}(?![\\w])`);
  return word.test(text) && word.test(message);
}

function keyOf({ file, code, message }: Problem): string {
  return `${file} ${code} ${message}`;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const made = [...items];
  for (let i = made.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [made[i], made[j]] = [made[j], made[i]];
  }
  return made;
}

/** Adds errors of every kind to a pack, one at a time, and returns what the validator reported. @param perKind number of errors per kind */
export function measure(target: MutatedPack, perKind: number, seed: number): MutantVerdict[] {
  const verdicts: MutantVerdict[] = [];
  for (const kind of Object.keys(MUTATIONS)) {
    const random = new Random(seed + [...kind].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7));
    const seen = new Set<string>();
    for (let tries = 0; tries < perKind * 3 && seen.size < perKind; tries++) {
      const verdict = target.try(kind, random);
      if (!verdict) break;
      const key = `${verdict.file} ${verdict.mutant.text}`;
      if (seen.has(key)) continue;
      seen.add(key);
      verdicts.push(verdict);
    }
  }
  return verdicts;
}
