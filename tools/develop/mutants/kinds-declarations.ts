import type { SourceFile } from '../../../engine/pack/index.js';
import { type Mutation, type Mutant, replacedPart, type Subject } from './mutation.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

const escaped = (name: string): string => name.replaceAll('.', '\\.');

/** Whether a name is read somewhere in the pack apart from its declaration, in a way that `pattern` matches. */
function used({ files }: Subject, spot: Spot, patterns: (name: string) => RegExp, own?: Subject['file']): boolean {
  const name = spot.key?.text ?? '';
  return files.some((file) => (own === undefined || file === own) && patterns(name).test(file.text));
}

/** Declarations of a map whose names something uses. */
function declarations(
  subject: Subject,
  where: (path: Spot['path']) => boolean,
  pattern: (name: string) => RegExp,
  sameFile = false,
): Spot[] {
  return subject.spots.filter(
    (spot) => spot.key && where(spot.path) && used(subject, spot, pattern, sameFile ? subject.file : undefined),
  );
}

function renamed(subject: Subject, spots: readonly Spot[], random: Random): Mutant | undefined {
  const spot = random.pick(spots);
  if (!spot?.key) return undefined;
  const made = misspell(spot.key.text, random);
  return replacedPart(
    subject,
    spot.key.start,
    spot.key.end,
    made,
    `${spot.path.join('.')} renamed to ${made}`,
    spot.key.text,
  );
}

/** Takes a whole pair out, its line or its place in `{...}`. */
function dropped(subject: Subject, spots: readonly Spot[], random: Random, name = true): Mutant | undefined {
  const spot = random.pick(spots);
  if (!spot?.key) return undefined;
  const { text } = subject.file;
  let { start } = spot.key;
  let { end } = spot;
  if (spot.flow) {
    const comma = /^\s*,\s*/.exec(text.slice(end));
    const before = /,\s*$/.exec(text.slice(0, start));
    if (comma) end += comma[0].length;
    else if (before) start -= before[0].length;
  } else {
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    if (!/^\s*$/.test(text.slice(lineStart, start))) return undefined;
    start = lineStart;
    const newline = text.indexOf('\n', text[end - 1] === '\n' ? end - 1 : end);
    end = newline < 0 ? text.length : newline + 1;
  }
  const mutant = replacedPart(
    subject,
    start,
    end,
    '',
    `${spot.path.join('.')} dropped`,
    name ? spot.key.text : undefined,
  );
  return { ...mutant, owner: ownerLine(subject, spot) };
}

/** The line of the key or list entry that holds the map of a pair. */
function ownerLine({ file, spots }: Subject, { path }: Spot): number {
  const parent = spots.find(
    (spot) => spot.path.length === path.length - 1 && spot.path.join() === path.slice(0, -1).join(),
  );
  const first = spots[0]?.key?.start ?? 0;
  return file.position(parent?.key?.start ?? parent?.start ?? first).line;
}

const fieldUse = (name: string): RegExp => new RegExp(`\\bself\\.${escaped(name)}\\b`);
const isField = (path: Spot['path']): boolean => path.length === 2 && path[0] === 'fields';
const isParam = (path: Spot['path']): boolean => path.length === 4 && path[0] === 'operations' && path[2] === 'params';
/** Whether a flow's keys are at a path: in a file of its own, or in the section `flows` of another. */
const isFlow = ({ kind }: SourceFile, path: Spot['path']): boolean =>
  path.length === 0 ? kind === 'flow' : path.length === 2 && path[0] === 'flows';
const REQUIRED = new Set([
  'resource',
  'collection',
  'fields',
  'initial',
  'states',
  'flow',
  'do',
  'table',
  'columns',
  'rows',
  'status',
  'value',
  'run',
  'stands_for',
  'looks_like',
  'param',
  'name',
  'version',
  'at',
  'then',
  'in',
  'register',
  'content',
  'digest',
  'header',
  'default',
  'causes',
  'families',
  'errors',
  'scenarios',
  'calls',
  'call',
  'example',
]);

/** Declarations that are renamed, dropped or given twice. */
export const DECLARATION_KINDS: Readonly<Record<string, Mutation>> = {
  'dropped required key': (subject, random) => {
    const spots = subject.spots.filter(({ path, key }) => {
      if (!key || !REQUIRED.has(key.text)) return false;
      const parent = String(path.at(-2));
      switch (key.text) {
        case 'status':
          return subject.file.kind === 'errors' && path.length === 3;
        case 'default':
          return parent !== 'size' && path[0] === 'durations';
        case 'value':
        case 'run':
          return subject.file.kind === 'magic' && path.at(-3) === 'values';
        case 'name':
          return path.length === 1 && subject.file.kind === 'pack';
        case 'version':
          return path.length === 1;
        case 'do':
          return (
            isFlow(subject.file, path.slice(0, -1)) ||
            subject.spots.some(
              (other) => other.path.at(-1) === 'for' && other.path.slice(0, -1).join() === path.slice(0, -1).join(),
            )
          );
        case 'then':
        case 'in':
          return typeof path.at(-2) === 'number' && !path.includes('body');
        case 'at':
          return path[0] === 'pins';
        case 'param':
          return parent === 'subject';
        case 'header':
          return path.length === 2 && (path[0] === 'versions' || path[0] === 'idempotency');
        case 'content':
        case 'digest':
          return parent === 'signature';
        case 'register':
          return subject.file.kind === 'pack';
        case 'resource':
          return (
            path.length === 1 ||
            parent === 'subject' ||
            (subject.file.kind === 'pack' && (path[0] === 'events' || path[0] === 'delivery'))
          );
        case 'initial':
        case 'states':
          return path[0] === 'machine' && path.length === 2;
        case 'call':
          return subject.file.kind === 'example';
        case 'stands_for':
        case 'looks_like':
          return subject.file.kind === 'magic';
        default:
          return path.length === 1;
      }
    });
    return dropped(subject, spots, random, false);
  },
  'renamed field that expressions read': (subject, random) =>
    renamed(subject, declarations(subject, isField, fieldUse, true), random),
  'dropped field that expressions read': (subject, random) =>
    dropped(subject, declarations(subject, isField, fieldUse, true), random),
  'renamed parameter that steps read': (subject, random) =>
    renamed(
      subject,
      subject.spots.filter(({ path, key }) => key && isParam(path) && usedInOperation(subject, path)),
      random,
    ),
  'renamed state that transitions name': (subject, random) => renamed(subject, namedStates(subject), random),
  'dropped state that transitions name': (subject, random) => dropped(subject, namedStates(subject), random),
  'renamed guard or action': (subject, random) =>
    renamed(
      subject,
      declarations(
        subject,
        (path) => path.length === 2 && (path[0] === 'guards' || path[0] === 'actions'),
        (name) => new RegExp(`(?:guard|entry|exit|actions): \\[?${name}\\b`),
        true,
      ),
      random,
    ),
  'renamed argument of a flow': (subject, random) =>
    renamed(
      subject,
      declarations(
        subject,
        (path) => path.at(-2) === 'args' && isFlow(subject.file, path.slice(0, -2)),
        (name) => new RegExp(`[^\\w.'"]${name}\\b(?!:)`),
        true,
      ),
      random,
    ),
  'renamed column that is looked up': (subject, random) =>
    renamed(
      subject,
      subject.file.kind === 'table'
        ? subject.spots.filter(({ path }) => path.length === 2 && path[0] === 'columns')
        : [],
      random,
    ),
  'renamed error that steps raise': (subject, random) =>
    renamed(
      subject,
      subject.file.kind === 'errors'
        ? declarations(
            subject,
            (path) => path.length === 2 && path[0] === 'errors',
            (name) => new RegExp(`(?:fail|error): ${name}\\b`),
          )
        : [],
      random,
    ),
  'renamed duration that machines wait for': (subject, random) =>
    renamed(
      subject,
      subject.file.kind === 'pack'
        ? declarations(
            subject,
            (path) => path.length === 2 && path[0] === 'durations',
            (name) => new RegExp(`\\b${name}:|duration\\('${name}'\\)`),
          )
        : [],
      random,
    ),
  'a name given to two things': (subject, random) => {
    const { file, files } = subject;
    const key =
      file.kind === 'resource'
        ? random.below(2) === 0
          ? 'resource'
          : 'collection'
        : file.kind === 'flow'
          ? 'flow'
          : file.kind === 'table'
            ? 'table'
            : undefined;
    const spot = subject.spots.find(({ path }) => path.length === 1 && path[0] === key);
    const other = random.pick(files.filter((each) => each !== file && each.kind === file.kind));
    const taken = other && key !== undefined ? (other.data as Readonly<Record<string, unknown>>)[key] : undefined;
    return spot?.scalar && typeof taken === 'string'
      ? replacedPart(subject, spot.start, spot.end, taken, `${key}: ${taken} again`, String(spot.scalar.value))
      : undefined;
  },
  'a route given to two operations': (subject, random) => {
    const routes = subject.spots.filter(
      ({ path, scalar }) => path.at(-1) === 'route' && typeof scalar?.value === 'string',
    );
    const [one, two] = [random.pick(routes), random.pick(routes)];
    return one?.scalar && two?.scalar && one !== two && one.scalar.value !== two.scalar.value
      ? replacedPart(subject, one.start, one.end, String(two.scalar.value), `route ${String(two.scalar.value)} again`)
      : undefined;
  },
};

/** States that a transition of their machine names. */
function namedStates({ spots }: Subject): Spot[] {
  return spots.filter(
    ({ path }) =>
      path.length === 3 &&
      path[1] === 'states' &&
      spots.some((spot) => spot.scalar?.value === path[2] && spot.path[0] === 'machine'),
  );
}

function usedInOperation(subject: Subject, path: Spot['path']): boolean {
  const [, operation, , name] = path;
  const steps = subject.spots.filter(
    ({ path: at, scalar }) =>
      at[0] === 'operations' && at[1] === operation && at[2] !== 'params' && typeof scalar?.value === 'string',
  );
  return steps.some(({ scalar }) => new RegExp(`\\bparams\\.${escaped(String(name))}\\b`).test(String(scalar?.value)));
}
