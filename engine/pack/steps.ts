import { isRecord } from '../values/index.js';
import { type FileProblem, type LocatedText } from './explain.js';
import { STEP_KINDS } from './step-kinds.js';
import { suggest } from './suggest.js';

const KINDS = Object.keys(STEP_KINDS);

/** Keys that a step has besides the key that names its kind. */
const COMPANIONS: ReadonlySet<string> = new Set(Object.values(STEP_KINDS).flatMap(({ keys }) => keys));

/**
 * Errors about the kind of a step. They replace all schema errors about that step, since the other keys of a step with no or
 * two step keys can't be checked.
 */
export function checkSteps(located: readonly LocatedText[]): { problems: FileProblem[]; rest: LocatedText[] } {
  const problems = new Map<string, FileProblem>();
  for (const { error, path } of located) {
    const title: unknown = error.parentSchema?.['title'];
    if (typeof title !== 'string' || !/\bstep$/.test(title) || !isRecord(error.data)) continue;
    const own = Object.keys(error.data);
    const kinds = own.filter((key) => KINDS.includes(key));
    if (kinds.length > 1) {
      const [first, second] = kinds;
      const message = `a step does one thing, this one has '${first}' and '${second}'`;
      problems.set(error.instancePath, { path: [...path, second], at: 'key', code: 'two-steps', message });
    } else if (kinds.length === 0 && error.keyword === 'anyOf') {
      problems.set(error.instancePath, unknownStep(own, path));
    }
  }
  const pointers = [...problems.keys()];
  const covered = (pointer: string): boolean =>
    pointers.some((each) => pointer === each || pointer.startsWith(`${each}/`));
  const outer = [...problems].filter(([pointer]) => !covered(pointer.slice(0, pointer.lastIndexOf('/'))));
  return {
    problems: outer.map(([, each]) => each),
    rest: located.filter(({ error }) => !covered(error.instancePath)),
  };
}

function unknownStep(own: readonly string[], path: FileProblem['path']): FileProblem {
  const strange = own.filter((key) => !COMPANIONS.has(key));
  const misspelt = strange.find((key) => suggest(key, KINDS) !== undefined) ?? strange[0];
  if (misspelt === undefined) {
    return { path, at: 'value', code: 'unknown-step', message: `a step needs one of ${KINDS.join(', ')}` };
  }
  const suggestion = suggest(misspelt, KINDS);
  const message =
    `unknown step '${misspelt}'` + (suggestion === undefined ? `: a step is one of ${KINDS.join(', ')}` : '');
  return { path: [...path, misspelt], at: 'key', code: 'unknown-step', message, suggestion };
}
