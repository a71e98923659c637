import { isKeyword, isLanguage, type Mutation, type Mutant, replacedPart, type Subject } from './mutation.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

/** Misspells the value of some keys: names of other things. */
function reference(keys: readonly string[], fits: (spot: Spot, subject: Subject) => boolean = () => true): Mutation {
  return (subject, random) => {
    const spots = subject.spots.filter((spot) => {
      const { scalar, path } = spot;
      const key = path.findLast((step) => typeof step === 'string');
      const deep = path.length - path.lastIndexOf(key ?? '') <= 2;
      return (
        scalar &&
        typeof scalar.value === 'string' &&
        /^[A-Za-z_.][\w.]*$/.test(scalar.value) &&
        deep &&
        keys.includes(String(key)) &&
        isLanguage(spot) &&
        fits(spot, subject)
      );
    });
    const spot = random.pick(spots);
    return spot?.scalar && misspelt(subject, spot, random);
  };
}

function misspelt(subject: Subject, spot: Spot, random: Random): Mutant | undefined {
  const { scalar } = spot;
  if (!scalar) return undefined;
  const shift = scalar.quoted ? 1 : 0;
  const word = String(scalar.value);
  const made = misspell(word, random);
  return replacedPart(
    subject,
    scalar.start + shift,
    scalar.end - shift,
    made,
    `${spot.path.join('.')}: ${word} -> ${made}`,
  );
}

const inMachine = ({ path }: Spot): boolean => path[0] === 'machine';
const isStep = ({ path }: Spot): boolean => typeof path.at(-2) === 'number';

/** Misspelt keys and names. */
export const NAME_KINDS: Readonly<Record<string, Mutation>> = {
  'misspelt key': (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => isKeyword(subject, each)));
    if (!spot?.key) return undefined;
    const made = misspell(spot.key.text, random);
    return replacedPart(subject, spot.key.start, spot.key.end, made, `${spot.path.join('.')}: key ${made}`);
  },
  'misspelt resource (ref, create)': reference(
    ['ref', 'create', 'stands_for'],
    (spot) => spot.path.at(-1) === 'stands_for' || spot.path.includes('ref') || isStep(spot),
  ),
  'misspelt resource of a subject': reference(
    ['resource'],
    ({ path }) => path.includes('subject') || path[0] === 'events' || path[0] === 'delivery',
  ),
  'misspelt flow': reference(['run'], (spot) => isStep(spot)),
  'misspelt error': reference(
    ['fail', 'error'],
    (spot) => isStep(spot) || spot.path.includes('refusals') || spot.path.includes('scenarios'),
  ),
  'misspelt trigger': reference(['send'], isStep),
  'misspelt event': reference(['emit'], isStep),
  'misspelt object of a step': reference(['set', 'delete', 'object'], isStep),
  'misspelt state (target)': (subject, random) => {
    const states = new Set(
      subject.spots.filter(({ path }) => path.length === 3 && path[1] === 'states').map(({ path }) => String(path[2])),
    );
    const spots = subject.spots.filter((spot) => inMachine(spot) && states.has(String(spot.scalar?.value)));
    const spot = random.pick(spots);
    return spot && misspelt(subject, spot, random);
  },
  'misspelt guard': reference(['guard'], inMachine),
  'misspelt action': reference(['entry', 'exit', 'actions'], inMachine),
  'misspelt delay': (subject, random) => {
    const spot = random.pick(subject.spots.filter(({ path }) => path[0] === 'machine' && path.at(-2) === 'after'));
    if (!spot?.key) return undefined;
    const made = misspell(spot.key.text, random);
    return replacedPart(subject, spot.key.start, spot.key.end, made, `after ${spot.key.text} -> ${made}`);
  },
  'misspelt type': (subject, random) => {
    const spots = subject.spots.filter(({ scalar, path }) => {
      const parent = path.at(-2);
      const typed =
        ['fields', 'params', 'args', 'columns'].includes(String(parent)) ||
        path.at(-1) === 'type' ||
        path.at(-1) === 'items';
      return (
        typed &&
        typeof scalar?.value === 'string' &&
        /^[a-z_]+\??$/.test(scalar.value) &&
        !path.includes('with') &&
        !path.includes('body') &&
        subject.file.kind !== 'pack'
      );
    });
    const spot = random.pick(spots.filter(isLanguage));
    return spot && misspelt(subject, spot, random);
  },
  'misspelt state of an event or pin': reference(
    ['enter', 'at'],
    ({ path }) => path[0] === 'events' || path[0] === 'pins',
  ),
  'misspelt field (order, indexes)': reference(
    ['order', 'indexes'],
    ({ path }) => path[0] === 'order' || path[0] === 'indexes',
  ),
  'misspelt field (with, to)': (subject, random) => {
    const spots = subject.spots.filter(
      ({ path, key }) =>
        key &&
        ['with', 'to'].includes(String(path.at(-2))) &&
        typeof path.at(-3) === 'number' &&
        /^\w+$/.test(key.text),
    );
    const steps = spots.filter(({ path }) =>
      subject.spots.some(
        (other) =>
          other.path.length === path.length - 1 &&
          other.path.at(-1) === (path.at(-2) === 'to' ? 'set' : 'create') &&
          other.path.slice(0, -1).join() === path.slice(0, -2).join(),
      ),
    );
    const spot = random.pick(steps);
    if (!spot?.key) return undefined;
    const made = misspell(spot.key.text, random);
    return replacedPart(subject, spot.key.start, spot.key.end, made, `${spot.path.join('.')}: key ${made}`);
  },
  'misspelt argument of a flow or error': (subject, random) => {
    const spots = subject.spots.filter(
      ({ path, key }) =>
        key &&
        path.at(-2) === 'with' &&
        subject.spots.some(
          (other) =>
            ['run', 'fail'].includes(String(other.path.at(-1))) &&
            other.path.slice(0, -1).join() === path.slice(0, -2).join(),
        ),
    );
    const spot = random.pick(spots);
    if (!spot?.key) return undefined;
    const made = misspell(spot.key.text, random);
    return replacedPart(subject, spot.key.start, spot.key.end, made, `${spot.path.join('.')}: key ${made}`);
  },
  'misspelt table or format': reference(
    ['format', 'from'],
    ({ path }, { file }) => file.kind !== 'browser' && (path.at(-1) === 'format' || path.includes('from')),
  ),
  'misspelt enum word': reference(
    ['on', 'kind', 'unknown_parameters', 'requests', 'timestamps', 'digest', 'key', 'update', 'keep'],
    ({ path }, { file }) =>
      (path[0] === 'events' && file.kind === 'resource') ||
      file.kind === 'pack' ||
      path.at(-1) === 'update' ||
      path.at(-1) === 'kind',
  ),
};
