import { isLanguage, type Mutation, replacedPart, type Subject } from './mutation.js';
import { misspell } from './misspell.js';

/** Words that some field, parameter or column may be, by its name. */
function enumsOf({ files }: Subject): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name, words] of file.text.matchAll(/(\w+): \{ (?:type: \w+, )?enum: \[([^\]]+)\]/g)) {
      const known = found.get(name) ?? new Set<string>();
      for (const word of words.split(',')) known.add(word.trim().replace(/^"|"$/g, ''));
      found.set(name, known);
    }
  }
  return found;
}

/** Values that their type does not have. */
export const VALUE_KINDS: Readonly<Record<string, Mutation>> = {
  'constant that is no value of its field': (subject, random) => {
    const enums = enumsOf(subject);
    const spots = subject.spots.filter(
      ({ path, scalar, key }) =>
        key &&
        ['to', 'with'].includes(String(path.at(-2))) &&
        typeof path.at(-3) === 'number' &&
        typeof scalar?.value === 'string' &&
        enums.get(key.text)?.has(scalar.value) === true &&
        subject.spots.some(
          (other) =>
            ['set', 'create'].includes(String(other.path.at(-1))) &&
            other.path.slice(0, -1).join() === path.slice(0, -2).join(),
        ),
    );
    const spot = random.pick(spots);
    if (!spot?.scalar) return undefined;
    const made = misspell(String(spot.scalar.value), random);
    return replacedPart(subject, spot.start, spot.end, made, `${spot.path.join('.')}: ${made}`);
  },
  'default that is no value of its type': (subject, random) => {
    const spots = subject.spots.filter((spot) => {
      const siblings = subject.spots.filter(
        (other) =>
          other.path.length === spot.path.length && other.path.slice(0, -1).join() === spot.path.slice(0, -1).join(),
      );
      return (
        spot.path.at(-1) === 'default' &&
        spot.scalar &&
        isLanguage(spot) &&
        siblings.some(
          ({ path, scalar }) =>
            path.at(-1) === 'enum' ||
            (path.at(-1) === 'type' && ['integer', 'boolean', 'number'].includes(String(scalar?.value))),
        )
      );
    });
    const spot = random.pick(spots);
    return spot && replacedPart(subject, spot.start, spot.end, 'nonsense', `${spot.path.join('.')}: nonsense`);
  },
  'span of time that is none': (subject, random) => {
    const spots = subject.spots.filter(
      ({ scalar, path }) =>
        typeof scalar?.value === 'string' &&
        /^\d+(?:ms|s|m|h|d|w)$/.test(scalar.value) &&
        ['durations', 'delivery', 'idempotency', 'scenarios'].includes(String(path[0])),
    );
    const spot = random.pick(spots);
    return (
      spot?.scalar &&
      replacedPart(
        subject,
        spot.start,
        spot.end,
        `${String(spot.scalar.value)}ays`,
        `${spot.path.join('.')}: ${String(spot.scalar.value)}ays`,
      )
    );
  },
  'broken pattern': (subject, random) => {
    const spots = subject.spots.filter(
      ({ path, scalar }) =>
        subject.file.kind !== 'table' &&
        ['pattern', 'looks_like'].includes(String(path.at(-1))) &&
        typeof scalar?.value === 'string' &&
        scalar.quoted,
    );
    const spot = random.pick(spots);
    return (
      spot && replacedPart(subject, spot.start + 1, spot.start + 1, random.below(2) === 0 ? '(?<=a)' : '[a-', 'pattern')
    );
  },
  'broken route': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter(({ path, scalar }) => path.at(-1) === 'route' && typeof scalar?.value === 'string'),
    );
    if (!spot?.scalar) return undefined;
    const text = String(spot.scalar.value);
    const made = [
      text.replace(' /', ' '),
      text.replace(/^[A-Z]+/, 'PSOT'),
      text.replace(' ', ''),
      text.replace(/\{(?!id\})/, '{x'),
    ].filter((each) => each !== text);
    const by = random.pick(made);
    return by === undefined ? undefined : replacedPart(subject, spot.start, spot.end, `"${by}"`, `route ${by}`);
  },
  'cell of another type': (subject, random) => {
    if (subject.file.kind !== 'table') return undefined;
    const spot = random.pick(
      subject.spots.filter(
        ({ path, scalar }) =>
          path[0] === 'rows' &&
          path.length === 3 &&
          (typeof scalar?.value === 'number' || typeof scalar?.value === 'boolean'),
      ),
    );
    return spot && replacedPart(subject, spot.start, spot.end, '"x y"', `${spot.path.join('.')}: "x y"`);
  },
  'misspelt column': (subject, random) => {
    if (subject.file.kind !== 'table') return undefined;
    const spot = random.pick(subject.spots.filter(({ path, key }) => path[0] === 'rows' && path.length === 3 && key));
    return (
      spot?.key &&
      replacedPart(
        subject,
        spot.key.start,
        spot.key.end,
        misspell(spot.key.text, random),
        `${spot.path.join('.')} misspelt`,
      )
    );
  },
};
