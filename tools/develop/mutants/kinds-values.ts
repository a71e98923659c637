import { misspell } from './misspell.js';
import { type Mutation, replacedPart, replacedValue, type Subject, textAt, type Where } from './mutation.js';
import type { Spot } from './walk.js';

/** Collects enum values in the pack, by the name of the field, parameter or column. */
function enumsOf({ files }: Subject): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, name, words] of file.text.matchAll(/(\w+): \{ (?:type: \w+, )?enum: \[([^\]]+)\]/g)) {
      const known = found.get(name) ?? new Set<string>();
      found.set(name, known);
      for (const word of words.split(',')) known.add(word.trim().replace(/^"|"$/g, ''));
    }
  return found;
}

/** Whether the map at a location has one of these keys, with one of these values if any are given. */
function hasSibling(
  { spots }: Subject,
  map: Spot | null,
  keys: readonly string[],
  values?: readonly string[],
): boolean {
  return spots.some(
    (each) =>
      each.parent === map &&
      keys.includes(each.key?.text ?? '') &&
      (values?.includes(String(each.scalar?.value)) ?? true),
  );
}

const isWord: Where = ({ keyIs }) => keyIs === 'word';
const isCell: Where = ({ path: [top, , column, ...more] }, { file }) =>
  file.kind === 'table' && top === 'rows' && column !== undefined && more.length === 0;
const isShort = ({ start, end }: Spot, { file }: Subject): boolean => !file.text.slice(start, end).includes('\n');

/** Mutations to values that their type doesn't allow. */
export const VALUE_KINDS: Readonly<Record<string, Mutation>> = {
  'number as text': replacedValue(
    (spot) => typeof spot.scalar?.value === 'number' && spot.keyIs === 'word' && spot.declared.is('integer', 'number'),
    () => 'many',
  ),
  'truth as text': replacedValue(
    (spot) => typeof spot.scalar?.value === 'boolean' && spot.keyIs === 'word' && spot.declared.is('boolean'),
    () => 'yess',
  ),
  'map or list as text': replacedValue(
    (spot, subject) =>
      isWord(spot, subject) && !spot.declared.isData && /^[[{].*$/.test(subject.file.text.slice(spot.start, spot.end)),
    () => '7',
  ),
  'text as a map': replacedValue(
    (spot, subject) =>
      isWord(spot, subject) &&
      spot.kind === 'scalar' &&
      !spot.declared.is('object', 'template') &&
      isShort(spot, subject),
    () => '{ a: b }',
  ),
  'constant that is no value of its field': (subject, random) => {
    const enums = enumsOf(subject);
    const where: Where = (spot) =>
      enums.get(spot.key?.text ?? '')?.has(textAt(spot)) === true &&
      ['to', 'with'].includes(String(spot.parent?.path.at(-1))) &&
      hasSibling(subject, spot.parent?.parent ?? null, ['set', 'create']);
    return replacedValue(where, (spot) => misspell(textAt(spot), random))(subject, random);
  },
  'default that is no value of its type': replacedValue(
    (spot, subject) =>
      spot.key?.text === 'default' &&
      spot.keyIs === 'word' &&
      spot.kind === 'scalar' &&
      (hasSibling(subject, spot.parent, ['enum']) ||
        hasSibling(subject, spot.parent, ['type'], ['integer', 'boolean', 'number'])),
    () => 'nonsense',
  ),
  'span of time that is none': replacedValue(
    (spot) => /^\d+(?:ms|s|m|h|d|w)$/.test(textAt(spot)) && spot.declared.is('duration', 'wait'),
    (spot) => `${textAt(spot)}ays`,
  ),
  'broken pattern': (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => each.scalar?.quoted && each.declared.is('pattern')));
    const made = random.below(2) === 0 ? '(?<=a)' : '[a-';
    return spot && replacedPart(subject, [spot.start + 1, spot.start + 1], made, 'pattern');
  },
  'broken route': replacedValue(
    (spot) => spot.declared.is('route') && textAt(spot) !== '',
    (spot, random) => {
      const route = textAt(spot);
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
    (spot, subject) => ['number', 'boolean'].includes(typeof spot.scalar?.value) && isCell(spot, subject),
    () => '"x y"',
  ),
  'misspelt column': (subject, random) => {
    const spot = random.pick(subject.spots.filter((each) => each.key && isCell(each, subject)));
    if (!spot?.key) return undefined;
    const { start, end, text: name } = spot.key;
    return replacedPart(subject, [start, end], misspell(name, random), `${spot.path.join('.')} misspelt`);
  },
};
