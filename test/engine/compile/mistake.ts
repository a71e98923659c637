import { loadPack } from '../../../engine/index.js';
import { samplePack } from '../../support/sample-pack.js';

const full = samplePack('full');

/** A small mistake in the full pack, and what must be said about it. */
export interface Mistake {
  readonly name: string;
  readonly file: string;
  /** What to put in place of a text of the sound file. */
  readonly text: readonly [string, string];
  /** `code` or `code 'suggestion'` of each problem at the changed line, `file:line code` elsewhere. */
  readonly told: readonly string[];
  /** Part of the message. */
  readonly message?: string;
}

/** Shorthand for a table's line. */
export function mistake(name: string, file: string, from: string, to: string, ...told: readonly string[]): Mistake {
  return { name, file, text: [from, to], told };
}

/** What loading the full pack with a mistake tells, in the form of `told`. */
export function toldAbout({ file, text }: Mistake): string[] {
  const [from] = text;
  const line = full.files[file].slice(0, full.files[file].indexOf(from)).split('\n').length;
  const { problems } = loadPack(full.write(full.patched(file, text)));
  return problems.map((problem) => {
    const what = problem.suggestion === undefined ? problem.code : `${problem.code} '${problem.suggestion}'`;
    return problem.file === file && problem.line === line ? what : `${problem.file}:${problem.line} ${what}`;
  });
}
