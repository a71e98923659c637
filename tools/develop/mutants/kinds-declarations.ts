import {
  above,
  but,
  either,
  hasSibling,
  type Mutant,
  type Mutation,
  places,
  replacedPart,
  type Subject,
  type Where,
} from './mutation.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

const escaped = (name: string): string => name.replaceAll('.', '\\.');

/** Selects declarations whose names are used in their own file. */
const used =
  (where: Where, use: (name: string) => RegExp): Where =>
  (spot, subject) =>
    spot.key !== undefined && where(spot, subject) && use(spot.key.text).test(subject.file.text);

/** Selects declarations whose names are used in the pack. */
const usedAnywhere =
  (where: Where, use: (name: string) => RegExp): Where =>
  (spot, subject) =>
    where(spot, subject) && subject.files.some(({ text }) => use(spot.key?.text ?? '').test(text));

const renamed =
  (where: Where): Mutation =>
  (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => each.key && where(each, subject)));
    if (!spot?.key) return undefined;
    const { start, end, text } = spot.key;
    const made = misspell(text, random);
    return replacedPart(subject, start, end, made, `${spot.path.join('.')} renamed to ${made}`, text);
  };

const dropped =
  (where: Where, isNamed = true): Mutation =>
  (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => each.key && where(each, subject)));
    return spot && without(subject, spot, isNamed);
  };

/** Removes a whole pair: its line, or its part of `{...}`. */
function without(subject: Subject, spot: Spot, isNamed: boolean): Mutant | undefined {
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
  const name = isNamed ? spot.key.text : undefined;
  const mutant = replacedPart(subject, start, end, '', `${spot.path.join('.')} dropped`, name);
  return { ...mutant, owner: ownerLine(subject, spot) };
}

/** The line of the key or list item that contains a pair's map. */
function ownerLine({ file, spots }: Subject, spot: Spot): number {
  const parent = spots.find(({ place }) => place === above(spot));
  const first = spots[0]?.key?.start ?? 0;
  return file.position(parent?.key?.start ?? parent?.start ?? first).line;
}

const fields = used(places('fields/*'), (name) => new RegExp(`\\bself\\.${escaped(name)}\\b`));
const PARAMS = places('operations/*/params/*');
const STATES = places('*/states/*');
/** Selects states that a transition of their machine names. */
const namedStates: Where = (spot, subject) =>
  STATES(spot, subject) &&
  subject.spots.some(({ scalar, path }) => scalar?.value === spot.path[2] && path[0] === 'machine');
const REQUIRED: Where = either(
  places('collection fields flow table columns rows causes families errors scenarios calls example version resource'),
  places('machine/{initial,states} pins/**/at **/subject/{param,resource} {versions,idempotency}/header'),
  places('**/signature/{content,digest} flows/*/do'),
  but(places('**/:n/{then,in}'), places('**/body/**')),
  but(places('durations/**/default'), places('**/size/default')),
  places('errors/*/status', 'errors'),
  places('**/values/*/{value,run} **/{stands_for,looks_like}', 'magic'),
  places('name {events,delivery}/**/resource **/register', 'pack'),
  places('do', 'flow'),
  places('**/call', 'example'),
  (spot, subject) => spot.path.at(-1) === 'do' && hasSibling(subject, above(spot), ['for']),
);

/** Mutations that rename, remove or duplicate declarations. */
export const DECLARATION_KINDS: Readonly<Record<string, Mutation>> = {
  'dropped required key': dropped(REQUIRED, false),
  'renamed field that expressions read': renamed(fields),
  'dropped field that expressions read': dropped(fields),
  'renamed parameter that steps read': renamed(
    (spot, subject) => PARAMS(spot, subject) && isReadInOperation(subject, spot.path),
  ),
  'renamed state that transitions name': renamed(namedStates),
  'dropped state that transitions name': dropped(namedStates),
  'renamed guard or action': renamed(
    used(places('{guards,actions}/*'), (name) => new RegExp(`(?:guard|entry|exit|actions): \\[?${name}\\b`)),
  ),
  'renamed argument of a flow': renamed(
    used(either(places('args/*', 'flow'), places('flows/*/args/*')), (name) => new RegExp(`[^\\w.'"]${name}\\b(?!:)`)),
  ),
  'renamed column that is looked up': renamed(places('columns/*', 'table')),
  'renamed error that steps raise': renamed(
    usedAnywhere(places('errors/*', 'errors'), (name) => new RegExp(`(?:fail|error): ${name}\\b`)),
  ),
  'renamed duration that machines wait for': renamed(
    usedAnywhere(places('durations/*', 'pack'), (name) => new RegExp(`\\b${name}:|duration\\('${name}'\\)`)),
  ),
  'a name given to two things': (subject, random) => {
    const { file, files } = subject;
    const keys = file.kind === 'resource' ? ['resource', 'collection'] : [file.kind];
    const key = keys.length > 1 ? keys[random.below(2)] : keys[0];
    const spot = ['resource', 'flow', 'table'].includes(file.kind)
      ? subject.spots.find(({ place }) => place === key)
      : undefined;
    const other = random.pick(files.filter((each) => each !== file && each.kind === file.kind));
    const taken = other && (other.data as Readonly<Record<string, unknown>>)[key];
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

function isReadInOperation({ spots }: Subject, [, operation, , name]: Spot['path']): boolean {
  const read = new RegExp(`\\bparams\\.${escaped(String(name))}\\b`);
  return spots.some(
    ({ path, scalar }) =>
      path[0] === 'operations' &&
      path[1] === operation &&
      path[2] !== 'params' &&
      typeof scalar?.value === 'string' &&
      read.test(scalar.value),
  );
}
