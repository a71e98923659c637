import { keyed, last, spotsAt, value } from './kinds-newer.js';
import { type Mutation, replacedPart, type Subject } from './mutation.js';
import type { Spot } from './walk.js';

type Path = Spot['path'];

const resource = (fits: (path: Path) => boolean): ((subject: Subject) => Spot[]) => spotsAt('resource', fits);
const inPack = (fits: (path: Path) => boolean): ((subject: Subject) => Spot[]) => spotsAt('pack', fits);
/** Names without a colon in `{ }`: `{ intent, amount! }`. */
const blanks = ({ spots }: Subject, below: (path: Path) => boolean): Spot[] =>
  spots.filter(({ kind, flow, path, key }) => kind === 'empty' && flow && key !== undefined && below(path));

const misspeltValue =
  (spots: (subject: Subject) => readonly Spot[], part?: RegExp): Mutation =>
  (subject, random) =>
    value(subject, spots(subject), random, part);
const misspeltKey =
  (spots: (subject: Subject) => readonly Spot[], part?: RegExp): Mutation =>
  (subject, random) =>
    keyed(subject, spots(subject), random, part);
/** In the expressions and texts of a pack. */
const misspeltIn = (part: RegExp): Mutation =>
  misspeltValue(({ file, spots }) => (file.kind === 'example' || file.kind === 'task' ? [] : spots), part);

/** Mistakes in the newest parts of the language: short forms, parents, access, shapes, waits, streams, tags, seeds. */
export const LATEST_KINDS: Readonly<Record<string, Mutation>> = {
  'forgotten =': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter(
        ({ scalar }) => typeof scalar?.value === 'string' && /^=(?:self|params|vars)(?:\.\w+)+$/.test(scalar.value),
      ),
    );
    if (!spot?.scalar || subject.file.kind === 'browser') return undefined;
    const start = spot.start + (spot.scalar.quoted ? 1 : 0);
    return replacedPart(subject, start, start + 1, '', `${spot.path.join('.')}: = left out`);
  },
  'misspelt name without a colon': misspeltKey((subject) =>
    blanks(subject, (path) => ['with', 'to', 'return', 'body'].includes(String(path.at(-2))) && path[0] !== 'fields'),
  ),
  'misspelt parameter by name': misspeltKey(
    (subject) => blanks(subject, (path) => path.at(-2) === 'params' && path[0] === 'operations'),
    /^\w+/,
  ),
  'misspelt key of an error': misspeltKey(spotsAt('errors', (path) => path[0] === 'errors' && path.length === 3)),
  'misspelt reference of get': misspeltIn(/(?<=\bget\(self\.)[a-z_]+(?=\))/),
  'misspelt path of at': misspeltIn(/(?<=\bat\(self\.\w+, ')[a-z_]+/),
  'misspelt pure flow': misspeltIn(/(?<=^=|\(|, )[a-z]+_[a-z_]+(?=\()/),
  'misspelt parent': misspeltValue(resource((path) => path[0] === 'parent' && path.length === 1)),
  'misspelt word of access': misspeltValue(
    resource((path) => path[0] === 'access' && (path.includes('for') || last(path) === 'else')),
  ),
  'misspelt resource of the actor': misspeltValue(
    inPack((path) => path[0] === 'auth' && path[1] === 'actor' && path[2] === 'resource'),
  ),
  'misspelt order of a list': misspeltValue(({ spots, file }) =>
    file.kind === 'resource' || file.kind === 'pack'
      ? spots.filter(({ path }) => path.includes('lists') && path.includes('order') && path.includes('values'))
      : [],
  ),
  'misspelt field of a sort': misspeltValue(({ spots, file }) =>
    file.kind === 'resource'
      ? spots.filter(
          ({ path }) =>
            path[0] === 'operations' && (path[2] === 'sort' || (path.includes('sort') && path.includes('fields'))),
        )
      : [],
  ),
  'misspelt moment of a wait': misspeltValue(
    resource((path) => path[0] === 'waits' && path.length === 3 && ['after', 'on', 'enter'].includes(last(path))),
    /^\w+$/,
  ),
  'misspelt wait of a step': misspeltValue(({ spots }) =>
    spots.filter(({ path, scalar }) => path.at(-1) === 'wait' && typeof scalar?.value === 'string'),
  ),
  'misspelt field of a shape': misspeltValue(resource((path) => path[0] === 'shapes')),
  'misspelt shape': misspeltValue(resource((path) => path[0] === 'operations' && path[2] === 'shape')),
  'misspelt shape of rest': misspeltIn(/(?<=\brest\(\w+, ')\w+(?='\))/),
  'misspelt field of ids by kind': misspeltValue(resource((path) => path[0] === 'id' && path[1] === 'by')),
  'misspelt kind of ids by kind': misspeltKey(
    resource((path) => path[0] === 'id' && path[1] === 'prefix' && path.length === 3),
  ),
  'misspelt field of an initial object': misspeltKey(resource((path) => path[0] === 'initial' && path.length === 3)),
  'misspelt field of a tag': misspeltValue(
    resource((path) => path[0] === 'tag' && (path[1] === 'modified' || path[1] === 'required')),
  ),
  'misspelt cause of a socket': misspeltValue(
    inPack((path) => path.includes('socket') && ['opened', 'closed', 'refused'].includes(last(path))),
  ),
  'misspelt transport': misspeltValue(
    inPack((path) => path[0] === 'delivery' && path[1] === 'endpoint' && path[2] === 'transport'),
    /(?<=(?<!= )')\w+(?=')/,
  ),
  'misspelt name by value': misspeltValue(
    ({ spots, file }) =>
      file.kind === 'example' ? [] : spots.filter(({ path }) => ['emit', 'fail'].includes(String(path.at(-1)))),
    /^[a-z_.]{3,}(?=\$\{)/,
  ),
  'misspelt collection of seed data': misspeltKey(
    spotsAt('seed', (path) => path[0] === 'resources' && path.length === 2),
  ),
  'misspelt field of seed data': misspeltKey(spotsAt('seed', (path) => path[0] === 'resources' && path.length === 4)),
  // The names of what is asked of agents are free.
  'misspelt word of a task': misspeltKey(
    spotsAt('task', (path) => path.length <= 3 && !(path[0] === 'agents' && path.length === 2)),
  ),
};
