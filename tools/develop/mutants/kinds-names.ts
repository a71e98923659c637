import {
  droppedPair,
  isChecked,
  misspeltKey,
  misspeltValue,
  type Mutation,
  replacedPart,
  textAt,
  type Where,
} from './mutation.js';
import type { Spot } from './walk.js';

/** Keys at the top of a file whose value names the declaration in the file. */
const NAMING = ['resource', 'collection', 'flow', 'table', 'name'];
/** Keys whose values are chosen by the vendor, or written for people. */
const FREE = ['title', 'const', 'enum', 'default', 'param', 'code'];
/** Maps at the top of a file, or in its machine, whose keys are names for expressions and transitions in the same file. */
const DECLARING = ['fields', 'states', 'args'];
/** Patterns of names in expressions and in texts with expressions. */
const IN_TEXTS = [
  /(?<=\b(?:get|at|find|all|count|lookup|rows)\()[a-z_]\w+(?=[,)])/,
  /(?<=\b(?:get|at)\(self\.)[a-z_]+(?=[,)])/,
  /(?<=version\.has\(')\w+(?='\))/,
  /(?<=\brest\(\w+, ')\w+(?='\))/,
  /(?<=^=|\(|, )[a-z]+_[a-z_]+(?=\()/,
];

const isDeclaration = ({ path }: Spot): boolean => path.length === 1 && NAMING.includes(String(path[0]));
/** Selects values that are names in the pack, where the language resolves a name. */
const isName: Where = (spot, subject) =>
  isChecked(subject) &&
  !isDeclaration(spot) &&
  !spot.declared.isData &&
  !spot.path.some((step) => FREE.includes(String(step))) &&
  textAt(spot).length > 1 &&
  textAt(spot)
    .split('.')
    .every((part) => subject.names.has(part));
/** Selects keys that declare a name which is used elsewhere. */
const isUsedKey: Where = ({ key, keyIs, parent }, subject) => {
  if (!key || keyIs !== 'name' || !isChecked(subject)) return false;
  const name = key.text.replace(/!$/, '');
  // Many resources have fields with the same name, so a field is only used if this file's expressions contain it.
  if (parent?.path.at(-1) === 'fields') return new RegExp(`\\bself\\.${name}\\b`).test(subject.file.text);
  // An external event and the event that it causes may share a name.
  return subject.names.get(name) === 'used' && !['events', 'causes'].includes(String(parent?.path.at(-1)));
};

/** Mutations that misspell names, or remove their declarations. */
export const NAME_KINDS: Readonly<Record<string, Mutation>> = {
  'misspelt key': misspeltKey(({ keyIs }) => keyIs === 'word', false),
  'misspelt key that is a name': misspeltKey(isUsedKey, true),
  'dropped key that is a name': droppedPair(
    (spot, subject) =>
      isUsedKey(spot, subject) && spot.path.length <= 3 && DECLARING.includes(String(spot.parent?.path.at(-1))),
    true,
  ),
  'dropped required key': droppedPair(
    ({ key, parent, declared, keyIs }, { required }) =>
      keyIs === 'word' &&
      key !== undefined &&
      !declared.isData &&
      (parent?.declared.required ?? required).includes(key.text),
    false,
  ),
  'misspelt name': misspeltValue(isName),
  'misspelt word of a closed set': misspeltValue((spot) => spot.declared.words.includes(textAt(spot))),
  'misspelt type': misspeltValue((spot) => spot.declared.is('type_name')),
  'misspelt name in a text': (subject, random) => {
    if (!isChecked(subject)) return undefined;
    const inTexts = (part: RegExp): Mutation => misspeltValue(({ path }) => !path.includes('description'), part);
    return inTexts(random.pick(IN_TEXTS) ?? /^$/)(subject, random);
  },
  'forgotten =': misspeltAway(/^=(?=(?:self|params|vars)(?:\.\w+)+$)/),
  'a name given to two things': (subject, random) => {
    const { file, files } = subject;
    const keys = file.kind === 'resource' ? ['resource', 'collection'] : [file.kind];
    const key = keys[random.below(keys.length)];
    const spot = subject.spots.find((each) => isDeclaration(each) && each.path[0] === key);
    const other = random.pick(files.filter((each) => each !== file && each.kind === file.kind));
    const taken = other && (other.data as Readonly<Record<string, unknown>>)[key];
    return spot && typeof taken === 'string'
      ? replacedPart(subject, [spot.start, spot.end], taken, `${key}: ${taken} again`, textAt(spot))
      : undefined;
  },
  'a route given to two operations': (subject, random) => {
    const routes = subject.spots.filter((each) => each.path.at(-1) === 'route' && textAt(each) !== '');
    const [one, two] = [random.pick(routes), random.pick(routes)];
    return one && two && textAt(one) !== textAt(two)
      ? replacedPart(subject, [one.start, one.end], textAt(two), `route ${textAt(two)} again`)
      : undefined;
  },
};

/** Creates a mutation that removes the matched part of a value. */
function misspeltAway(part: RegExp): Mutation {
  return (subject, random) => {
    const spot = random.pick(
      subject.spots.filter((each) => part.test(textAt(each)) && subject.file.kind !== 'browser'),
    );
    const start = (spot?.start ?? 0) + (spot?.scalar?.quoted ? 1 : 0);
    return spot && replacedPart(subject, [start, start + 1], '', `${spot.path.join('.')}: = left out`);
  };
}
