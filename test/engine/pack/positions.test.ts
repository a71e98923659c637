import { type DataPath, readPack, SourceFile } from '../../../engine/pack/index.js';
import { schemaValid } from './schema-valid-pack.js';

/** A flow file of this text, read as a pack would. */
function fileOf(text: string): SourceFile {
  const { source } = readPack(schemaValid.write({ 'flows/lend.yaml': text }));
  return source.all('flow')[0];
}

/** The text from a position to the end of its line. */
function textAt(file: SourceFile, path: DataPath, at?: 'key' | 'value', offset?: number): string {
  const { line, column } = file.locate(path, at, offset);
  return file.text.split('\n')[line - 1].slice(column - 1);
}

test('values, keys and entries of lists', () => {
  const file = fileOf('a:\n  b: { c: one }\n  list:\n    - x\n    - k: v\n');
  expect(file.locate(['a', 'b', 'c'])).toEqual({ line: 2, column: 11 });
  expect(file.locate(['a', 'b', 'c'], 'key')).toEqual({ line: 2, column: 8 });
  expect(file.locate(['a', 'list', 1])).toEqual({ line: 5, column: 7 });
  expect(file.locate([])).toEqual({ line: 1, column: 1 });
});

test('a missing path gives its nearest parent', () => {
  const file = fileOf('a:\n  b: { c: one }\n');
  expect(file.locate(['a', 'b', 'nope', 3])).toEqual({ line: 2, column: 3 });
  expect(file.locate(['nope'])).toEqual({ line: 1, column: 1 });
});

test('aliases and merged keys lead to where the text stands', () => {
  const file = fileOf('base: &b { when: "x == y" }\nown: { <<: *b, z: 1 }\nsame: *b\n');
  expect(file.data).toEqual({ base: { when: 'x == y' }, own: { when: 'x == y', z: 1 }, same: { when: 'x == y' } });
  expect(textAt(file, ['own', 'when'], 'value', 5)).toBe('y" }');
  expect(textAt(file, ['same', 'when'], 'value', 0)).toBe('x == y" }');
  expect(textAt(file, ['same'])).toBe('*b');
});

/** Each text has the value `value`; every character but the folding between lines must be found where it was written. */
const SCALARS: readonly (readonly [string, string])[] = [
  ['plain', 'v: one two\n'],
  ['single quoted', "v: 'it''s one'\n"],
  ['double quoted', 'v: "a\\"b\\u0041c\\td"\n'],
  ['plain over lines', 'v: one\n  two\n\n  three four\n'],
  ['double quoted over lines', 'v: "one\n  two \\\n   three\n\n  four"\n'],
  ['literal', 'v: |\n  one &&\n    two\n\n  three\n'],
  ['literal with indentation and chomping', 'v: |2-\n    one\n  two\n'],
  ['literal with a comment', 'v: |  # note\n   one\n   two\n'],
  ['folded', 'v: >-\n  one\n  two\n\n  three\n    more\n  four\n'],
  ['folded expression', 'v: >-\n  ${merge(\n    one,\n    a ? b :\n      two\n  )}\n'],
  ['double quoted with broken words', 'v: "${one}\\\n  two\\\n  three"\n'],
  ['Windows lines', 'v: |\r\n  one\r\n  two\r\n'],
];

test.each(SCALARS)('offsets inside a %s scalar', (_name, text) => {
  const file = fileOf(text);
  const value = (file.data as { v: string }).v;
  for (let offset = 0; offset < value.length; offset += 1) {
    if (/\s/.test(value[offset])) continue;
    const written = textAt(file, ['v'], 'value', offset);
    const escaped = written.startsWith('\\') || written.startsWith("''");
    if (!escaped) expect(`${offset} ${written[0]}`).toBe(`${offset} ${value[offset]}`);
  }
  const second = value.indexOf('two');
  if (second !== -1) expect(textAt(file, ['v'], 'value', second)).toMatch(/^two/);
});

test('offsets past escapes are exact', () => {
  const file = fileOf("v: \"a\\\"b\\u0041c\\td\"\nw: 'it''s one'\n");
  expect(textAt(file, ['v'], 'value', 3)).toBe('\\u0041c\\td"');
  expect(textAt(file, ['v'], 'value', 6)).toBe('d"');
  expect(textAt(file, ['w'], 'value', 3)).toBe("s one'");
  expect(textAt(file, ['w'], 'value', 99)).toBe("'");
});

test('offsets inside keys', () => {
  const file = fileOf('headers: { "${vars.vendor}-Id": x }\n');
  expect(textAt(file, ['headers', '${vars.vendor}-Id'], 'key', 2)).toBe('vars.vendor}-Id": x }');
});

test('every value of a sound pack is found', () => {
  const { source } = readPack(schemaValid.folder);
  for (const file of source.files) {
    const visit = (value: unknown, path: DataPath): void => {
      if (typeof value === 'string') {
        const text = textAt(file, path, 'value', 0);
        expect(text.startsWith(value.split('\n')[0])).toBe(true);
      } else if (typeof value === 'object' && value !== null) {
        const steps = Array.isArray(value) ? value.keys() : Object.keys(value);
        for (const step of steps) visit(Reflect.get(value, step), [...path, step]);
      }
    };
    visit(file.data, []);
  }
  expect(source.files).toHaveLength(Object.keys(schemaValid.files).length);
});
