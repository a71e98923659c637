import { type Mutation, type Mutant, replacedPart, type Subject } from './mutation.js';
import type { Random } from '../../openapi/random.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

type Path = Spot['path'];

/** Misspells a whole value, or the part of it that `part` matches first. */
export function value(
  subject: Subject,
  spots: readonly Spot[],
  random: Random,
  part = /^[\s\S]+$/,
): Mutant | undefined {
  const spot = random.pick(spots.filter(({ scalar }) => typeof scalar?.value === 'string' && part.test(scalar.value)));
  if (!spot?.scalar) return undefined;
  const shift = spot.scalar.quoted ? 1 : 0;
  const written = subject.file.text.slice(spot.start + shift, spot.end - shift);
  const found = part.exec(written);
  if (found === null) return undefined;
  const made = misspell(found[0], random);
  const start = spot.start + shift + found.index;
  return replacedPart(subject, start, start + found[0].length, made, `${spot.path.join('.')}: ${found[0]} -> ${made}`);
}

/** Misspells a key that names something. */
export function keyed(
  subject: Subject,
  spots: readonly Spot[],
  random: Random,
  part = /^[\s\S]+$/,
): Mutant | undefined {
  const spot = random.pick(spots.filter(({ key }) => key !== undefined && part.test(key.text)));
  const found = spot?.key && part.exec(spot.key.text);
  if (!spot?.key || !found || subject.file.text[spot.key.start] !== spot.key.text[0]) return undefined;
  const made = misspell(found[0], random);
  const start = spot.key.start + found.index;
  return replacedPart(
    subject,
    start,
    start + found[0].length,
    made,
    `${spot.path.join('.')}: key ${found[0]} -> ${made}`,
  );
}

export const spotsAt =
  (kind: Subject['file']['kind'], fits: (path: Path) => boolean) =>
  (subject: Subject): Spot[] =>
    subject.file.kind === kind ? subject.spots.filter(({ path }) => fits(path)) : [];

/** A place `changes.N.<what>` of a version, and what follows it. */
const inChange = (path: Path, what: string): boolean => path[0] === 'changes' && path[2] === what;
export const last = (path: Path): string => String(path.findLast((step) => typeof step === 'string'));

const limited = spotsAt(
  'pack',
  (path) => path[0] === 'rate_limits' && ['operations', 'except'].includes(String(path[2])),
);
const changedFields = spotsAt(
  'version',
  (path) => inChange(path, 'resources') && ['rename', 'change'].includes(String(path[4])) && path.length === 6,
);
const removed = spotsAt('version', (path) => inChange(path, 'resources') && path[4] === 'remove');
const changedParameters = spotsAt(
  'version',
  (path) =>
    inChange(path, 'operations') &&
    // What `move` makes is new; what it takes apart into is known.
    (path[4] === 'move'
      ? path[6] === 'to' && path.length === 8
      : ['rename', 'refuse'].includes(String(path[4])) && path.length === 6),
);
const ENUMS = new Set(['on_delete', 'algorithm', 'digest', 'etag', 'of', 'basic', 'kind', 'format', 'update']);

/** Misspelt names in newer parts of the language: versions, limits, tokens, seeds, signatures, the library, the client. */
export const NEWER_KINDS: Readonly<Record<string, Mutation>> = {
  'misspelt operation of a limit': (subject, random) => value(subject, limited(subject), random, /^\w+(?=[.])/),
  'misspelt error of a limit': (subject, random) =>
    value(subject, spotsAt('pack', (path) => path[0] === 'rate_limits' && path[2] === 'error')(subject), random),
  'misspelt fact of a limit': (subject, random) =>
    value(
      subject,
      spotsAt('pack', (path) => path[0] === 'rate_limits' && path[2] === 'headers')(subject),
      random,
      /(?<=\$\{(?:unix\()?)\w+(?=\)?\})/,
    ),
  'misspelt word of a closed set': (subject, random) =>
    value(
      subject,
      subject.spots.filter(
        ({ path }) =>
          path[0] !== 'rows' &&
          (path[0] === 'rate_limits'
            ? path[2] === 'kind'
            : path[0] === 'delivery'
              ? ['algorithm', 'digest', 'encoding', 'key'].includes(last(path)) && path.includes('transports')
              : ENUMS.has(last(path)) &&
                !path.includes('with') &&
                (subject.file.kind === 'pack'
                  ? ['ids', 'auth', 'answers'].includes(String(path[0])) && path[1] !== 'key'
                  : subject.file.kind === 'resource' && last(path) === 'on_delete')),
      ),
      random,
    ),
  'misspelt resource or field of tokens': (subject, random) =>
    value(
      subject,
      spotsAt(
        'pack',
        (path) => path[0] === 'auth' && path[1] === 'tokens' && ['resource', 'field'].includes(last(path)),
      )(subject),
      random,
    ),
  'misspelt key that opens an operation': (subject, random) =>
    value(subject, spotsAt('resource', (path) => path[0] === 'operations' && path[2] === 'keys')(subject), random),
  'misspelt resource that seeds come after': (subject, random) =>
    value(subject, spotsAt('resource', (path) => path[0] === 'seeded' && path[1] === 'after')(subject), random),
  'misspelt path of a refused seed': (subject, random) =>
    value(
      subject,
      spotsAt('resource', (path) => path[0] === 'seeded' && last(path) === 'path')(subject),
      random,
      /^\w+/,
    ),
  'misspelt fact of a list': (subject, random) =>
    value(
      subject,
      subject.spots.filter(
        ({ path }) => path.includes('lists') && (path.includes('envelope') || path.includes('headers')),
      ),
      random,
      /(?<=\$\{)\w+(?=\})/,
    ),
  'misspelt resource of a version': (subject, random) =>
    keyed(subject, spotsAt('version', (path) => inChange(path, 'resources') && path.length === 4)(subject), random),
  'misspelt field of a version': (subject, random) =>
    random.below(2) === 0
      ? keyed(subject, changedFields(subject), random, /^\w+/)
      : value(subject, removed(subject), random, /^\w+/),
  'misspelt operation of a version': (subject, random) =>
    keyed(subject, spotsAt('version', (path) => inChange(path, 'operations') && path.length === 4)(subject), random),
  'misspelt parameter of a version': (subject, random) => keyed(subject, changedParameters(subject), random, /^\w+/),
  'misspelt error of a version': (subject, random) =>
    value(subject, spotsAt('version', (path) => inChange(path, 'operations') && path[4] === 'refuse')(subject), random),
  'misspelt switch of a version': (subject, random) =>
    value(subject, [...subject.spots], random, /(?<=version\.has\(')\w+(?='\))/),
  'misspelt name of the library': (subject, random) =>
    value(
      subject,
      spotsAt('browser', (path) =>
        path[0] === 'key'
          ? true
          : path[0] === 'methods' && ['operation', 'page', 'id', 'again'].includes(String(path[2])),
      )(subject),
      random,
      /^\w+/,
    ),
  'misspelt argument of the library': (subject, random) =>
    value(
      subject,
      spotsAt(
        'browser',
        (path) => path[0] === 'methods' && path[2] === 'sends' && (path.length === 4 || path[4] === 'from'),
      )(subject),
      random,
      /^\w+/,
    ),
  'misspelt parameter of the library': (subject, random) =>
    keyed(
      subject,
      spotsAt('browser', (path) => path[0] === 'methods' && path[2] === 'sends' && path.length === 4)(subject),
      random,
      /^\w+/,
    ),
  'misspelt operation of the client': (subject, random) =>
    keyed(
      subject,
      spotsAt('pack', (path) => path[0] === 'client' && path[1] === 'calls' && path.length === 3)(subject),
      random,
      /^\w+/,
    ),
  'misspelt collection of the client': (subject, random) =>
    keyed(
      subject,
      spotsAt('pack', (path) => path[0] === 'client' && path[1] === 'resources' && path.length === 3)(subject),
      random,
    ),
};
