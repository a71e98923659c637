import {
  above,
  but,
  hasSibling,
  isLanguage,
  type Mutation,
  places,
  replacedPart,
  replacedValue,
  type Subject,
  type Where,
} from './mutation.js';
import { misspell } from './misspell.js';
import type { Spot } from './walk.js';

/** Enum values in the pack, by the name of the field, parameter or column. */
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

const text = ({ scalar }: Spot): string => (typeof scalar?.value === 'string' ? scalar.value : '');
const TIMED = places('{durations,delivery,idempotency,scenarios}/**');
const CELL = places('rows/*/*', 'table');
const PATTERN = but(places('**/{pattern,looks_like}'), places('**', 'table'));
/** Selects values with a `type` and a default. */
const isTyped: Where = (spot, { spots }) =>
  spots.some(
    ({ place, scalar }) =>
      place === `${above(spot)}/enum` ||
      (place === `${above(spot)}/type` && ['integer', 'boolean', 'number'].includes(String(scalar?.value))),
  );

/** Mutations to values that their type doesn't allow. */
export const VALUE_KINDS: Readonly<Record<string, Mutation>> = {
  'constant that is no value of its field': (subject, random) => {
    const enums = enumsOf(subject);
    const where: Where = (spot) =>
      spot.key !== undefined &&
      ['to', 'with'].includes(String(spot.path.at(-2))) &&
      typeof spot.path.at(-3) === 'number' &&
      enums.get(spot.key.text)?.has(text(spot)) === true &&
      hasSibling(subject, above(spot, 2), ['set', 'create']);
    return replacedValue(where, (spot) => misspell(text(spot), random))(subject, random);
  },
  'default that is no value of its type': replacedValue(
    (spot, subject) =>
      spot.path.at(-1) === 'default' && spot.scalar !== undefined && isLanguage(spot) && isTyped(spot, subject),
    () => 'nonsense',
  ),
  'span of time that is none': replacedValue(
    (spot, subject) => /^\d+(?:ms|s|m|h|d|w)$/.test(text(spot)) && TIMED(spot, subject),
    (spot) => `${text(spot)}ays`,
  ),
  'broken pattern': (subject, random) => {
    const spot = random.pick(
      subject.spots.filter((each) => text(each) !== '' && each.scalar?.quoted && PATTERN(each, subject)),
    );
    return (
      spot && replacedPart(subject, spot.start + 1, spot.start + 1, random.below(2) === 0 ? '(?<=a)' : '[a-', 'pattern')
    );
  },
  'broken route': replacedValue(
    (spot) => spot.path.at(-1) === 'route' && text(spot) !== '',
    (spot, random) => {
      const route = text(spot);
      const made = [
        route.replace(' /', ' '),
        route.replace(/^[A-Z]+/, 'PSOT'),
        route.replace(' ', ''),
        route.replace(/\{(?!id\})/, '{x'),
      ].filter((each) => each !== route);
      return `"${random.pick(made) ?? route}"`;
    },
  ),
  'cell of another type': replacedValue(
    (spot, subject) => ['number', 'boolean'].includes(typeof spot.scalar?.value) && CELL(spot, subject),
    () => '"x y"',
  ),
  'misspelt column': (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => each.key && CELL(each, subject)));
    if (!spot?.key) return undefined;
    const { start, end, text: name } = spot.key;
    return replacedPart(subject, start, end, misspell(name, random), `${spot.path.join('.')} misspelt`);
  },
};
