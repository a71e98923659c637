import { type Json } from '../../../engine/values/index.js';
import { compileBare, compileTemplate, TemplateError } from '../../../engine/expression/index.js';
import { environment, scopeOf } from './sample-environment.js';

const render = (template: Json): Json => {
  const { scope, run } = scopeOf();
  return run(compileTemplate(template, scope, environment));
};

const mistake = (template: Json): [string, string, number, string?] => {
  try {
    render(template);
  } catch (error) {
    if (error instanceof TemplateError) {
      const found: [string, string, number] = [error.message, error.path.join('.'), error.offset];
      return error.suggestion === undefined ? found : [...found, error.suggestion];
    }
    throw error;
  }
  throw new Error('no mistake found');
};

test.each<[Json, Json]>([
  ['plain', 'plain'],
  ['', ''],
  ['${self.pages}', 612],
  ['${ self.tags }', ['sf', 'desert']],
  ['${nothing}', null],
  ['x${self.pages}', 'x612'],
  ['${self.pages}${self.pages}', '612612'],
  ['[${nothing}]', '[]'],
  ['${self.reserved}!', 'false!'],
  ['${self.tags}!', '["sf","desert"]!'],
  ['${{"a": {"b": 1}}}', { a: { b: 1 } }],
  ['<${{"a": 1}.a}>', '<1>'],
  ['${"}"}', '}'],
  ["${'}'}", '}'],
  ['${"\\"}"}', '"}'],
  ["${'{'}${'}'}", '{}'],
  ["${'''a'}'''}", "a'}"],
  ['${r"\\d{2}"}', '\\d{2}'],
  ['${self.title + "${"}', 'Dune${'],
  ['$${self.title}', '${self.title}'],
  ['costs $5 and $ {x}', 'costs $5 and $ {x}'],
  ['$$ ${self.title}', '$$ Dune'],
  ['a$${b}${self.title}', 'a${b}Dune'],
  ['{}', '{}'],
  [5, 5],
  [true, true],
  [null, null],
  [
    ['a', '${self.pages}', ['${now}']],
    ['a', 612, [1769862615]],
  ],
  [
    { a: '${self.title}', b: { c: ['x${self.pages}'] }, d: null },
    { a: 'Dune', b: { c: ['x612'] }, d: null },
  ],
  [[], []],
  [{}, {}],
  ['${vars.vendor}-Version', 'library-Version'],
])('%j gives %j', (template, expected) => {
  expect(render(template)).toEqual(expected);
});

test.each<[Json, string, string, number, string?]>([
  ['a ${self.titel}', "book has no field 'titel'", '', 9, 'title'],
  ['${self.title} ${ sefl.title }', "unknown name 'sefl'", '', 17, 'self'],
  [{ a: ['x', '${sefl}'] }, "unknown name 'sefl'", 'a.1', 2, 'self'],
  ['a ${self.title', "'${' is never closed", '', 2],
  ['${"}', "'${' is never closed", '', 0],
  ['${}', 'Unexpected token: EOF', '', 2],
  ['${ 1 + }', 'Unexpected token: EOF', '', 7],
])('%j is a mistake', (template, ...expected) => {
  expect(mistake(template)).toEqual(expected);
});

test('what does not depend on anything is built once', () => {
  const { scope, run } = scopeOf();
  const template = { a: ['b', { c: 1 }], d: '' };
  const compiled = compileTemplate(template, scope, environment);
  expect(compiled.constant).toBe(template);
  expect(run(compiled)).toBe(template);
});

test('what consists of expressions over constants is evaluated, not the text of the pack', () => {
  const { scope, run } = scopeOf();
  const both = compileTemplate({ a: '${2}', b: ["${'x'}", 'y'] }, scope, environment);
  expect(both.constant).toEqual({ a: 2, b: ['x', 'y'] });
  expect(run(both)).toEqual({ a: 2, b: ['x', 'y'] });
});

test('types follow the parts', () => {
  const { scope } = scopeOf();
  const type = (template: Json) => compileTemplate(template, scope, environment).type;
  expect(type('${self.pages}').kind).toBe('number');
  expect(type('x${self.pages}').kind).toBe('string');
  expect(type('fixed')).toEqual({ kind: 'string', values: ['fixed'] });
  expect(type(['${self.pages}', 1])).toMatchObject({ kind: 'list', of: { kind: 'number' } });
  expect(type({ a: '${self.tags}' }).kind).toBe('object');
});

test('keys that could reach a prototype stay keys', () => {
  const template = JSON.parse('{"__proto__": "${self.title}"}') as Json;
  const made = render(template);
  expect(Object.keys(made as object)).toEqual(['__proto__']);
  expect(JSON.stringify(made)).toBe('{"__proto__":"Dune"}');
});

test('a bare expression reports its mistake at its place', () => {
  const { scope } = scopeOf();
  expect.assertions(1);
  try {
    compileBare('self.titel == 1', scope, environment, ['steps', 0, 'when'], 10);
  } catch (error) {
    expect(error).toMatchObject({
      message: "book has no field 'titel'",
      path: ['steps', 0, 'when'],
      offset: 15,
      suggestion: 'title',
    });
  }
});
