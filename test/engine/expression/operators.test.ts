import { ExpressionFailure, type Json } from '../../../engine/values/index.js';
import { compile, mistake, value } from './sample-environment.js';

test.each<[string, Json]>([
  ['1 + 2', 3],
  ['0.5 + 1', 1.5],
  ['2 - 5', -3],
  ['3 * 4', 12],
  ['7 / 2', 3.5],
  ['7 % 3', 1],
  ['-7 % 7', 0],
  ['0 * -1', 0],
  ['-(2 + 3)', -5],
  ['- 0', 0],
  ['0x1F', 31],
  ['1.5e3', 1500],
  ['1 + 2 * 3 == 7', true],
  ['"a" + "b"', 'ab'],
  ['[1] + [2, 3]', [1, 2, 3]],
  ['self.tags + ["x"]', ['sf', 'desert', 'x']],
  ['nothing + [1]', [1]],
  ['days(1) + hours(1)', 90_000_000],
  ['-days(1)', -86_400_000],
  ['days(1) * 2', 172_800_000],
  ['days(1) / days(2)', 0.5],
  ['1 < 2', true],
  ['2 <= 2', true],
  ['1 > 2', false],
  ['2 >= 3', false],
  ['"a" < "b"', true],
  ['"b" <= "a"', false],
  ['"b" > "a"', true],
  ['"a" >= "a"', true],
  ['self.title < "Emma"', true],
  ['1 == 1.0', true],
  ['"a" != "a"', false],
  ['[1, {"a": 2}] == [1, {"a": 2}]', true],
  ['{"a": 1, "b": 2} == {"b": 2, "a": 1}', true],
  ['[1] == [1, 2]', false],
  ['null == nothing', true],
  ['self.due == null', true],
  ['self.title != null', true],
  ['true && false', false],
  ['true || false', true],
  ['false && 1 / 0 > 0', false],
  ['true || 1 / 0 > 0', true],
  ['!self.reserved', true],
  ['!(1 > 2)', true],
  ['1 > 2 ? "a" : "b"', 'b'],
  ['"sf" in self.tags', true],
  ['"x" in self.tags', false],
  ['"spine" in self.labels', true],
  ['"toString" in self.labels', false],
  ['1 in nothing', false],
  ['{"a": 1} in [{"a": 1}]', true],
  ['[1, 2, 3][1]', 2],
  ['[1, 2, 3][9]', null],
  ['[1, 2, 3][-1]', null],
  ['self.labels["spine"]', 'red'],
  ['self["title"]', 'Dune'],
  ['self.labels.spine', 'red'],
  ['self.labels.none', null],
  ['self.labels["toString"]', null],
  ['self.labels["__proto__"]', null],
  ['self.extra.nested.deep[1]', 2],
  ['self.extra.none.deeper', null],
  ['nothing.a.b', null],
  ['nothing["a"]', null],
  ['self.shelf.row', 7],
  ['{"a": 1, "b": [true, null]}', { a: 1, b: [true, null] }],
  ['{self.title: 1}', { Dune: 1 }],
  ["'''it's'''", "it's"],
  ["r'\\d'", '\\d'],
  ['"\\u00e9\\n"', 'é\n'],
  ['vars.vendor', 'library'],
  ['now', 1769862615],
])('%s', (source, expected) => {
  expect(value(source)).toEqual(expected);
});

test('operators decide by what they meet where the type is open', () => {
  expect(value('item + "x"', { item: 'a' })).toBe('ax');
  expect(value('item + item', { item: [1] })).toEqual([1, 1]);
  expect(value('item < item', { item: 'a' })).toBe(false);
  expect(value('item <= 5', { item: 5 })).toBe(true);
  expect(value('item[0]', { item: ['x'] })).toBe('x');
  expect(value('item["k"]', { item: { k: 1 } })).toBe(1);
  expect(value('item["k"]', { item: 'text' })).toBeNull();
  expect(value('item ? 1 : 2', { item: null })).toBe(2);
  expect(value('!item && true', { item: null })).toBe(true);
});

test.each<[string, Json, RegExp]>([
  ['item + 1', null, /'\+' needs a number, got null/],
  ['item + "a"', null, /'\+' needs text, got null/],
  ['item < 1', null, /'<' needs a number, got null/],
  ['item < "a"', null, /'<' needs text, got null/],
  ['-item', 'a', /'-' needs a number, got "a"/],
  ['1 / item', 0, /division by zero/],
  ['1 % item', 0, /division by zero/],
  ['item ? 1 : 2', 'x', /a condition needs true or false, got "x"/],
  ['!item', 'yes', /a condition needs true or false, got "yes"/],
  ['self.tags + item', 'x', /'\+' needs a list, got "x"/],
])('%s fails with %j', (source, item, message) => {
  const { run } = compile(source);
  expect(() => run({ item })).toThrow(ExpressionFailure);
  expect(() => run({ item })).toThrow(message);
});

test('a variable of an object shows its current state', () => {
  expect(value('params.count', { params: { count: 4 } })).toBe(4);
  expect(value('params.name', { params: {} })).toBeNull();
});

test('a key that could reach a prototype stays a key', () => {
  const made = value('{"__proto__": {"x": 1}}') as Record<string, Json>;
  expect(Object.keys(made)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
});

test.each<[string, string, number, string?]>([
  ['titel', "unknown name 'titel'", 0, 'item'],
  ['sefl.title', "unknown name 'sefl'", 0, 'self'],
  ['1 + paramz.count', "unknown name 'paramz'", 4, 'params'],
  ['self.titel', "book has no field 'titel'", 5, 'title'],
  ['1 < self.shelf.rwo', "there is no 'rwo' here", 15, 'row'],
  ['self["titel"]', "book has no field 'titel'", 5, 'title'],
  ['self.title.length', 'a string has no members: its length is size(...)', 11],
  ['self.pages[0]', 'a number cannot be indexed', 0],
  ['self.tags["a"]', 'a list of a string has no members', 10],
  ['self.tags[self.title]', 'a list is indexed by a number, not a string', 10],
  ['vars.vendro', "unknown variable 'vars.vendro'", 5, 'vendor'],
  ['vars', "'vars' is read by name, such as vars.title", 0],
  ['self.pages + self.title', "'+' cannot add a number and a string", 0],
  ['self.tags + 1', "'+' cannot add a list of a string and a number", 0],
  ['1 - self.title', "'-' needs numbers, not a string", 0],
  ['self.reserved < true', "'<' needs numbers, not a boolean", 0],
  ['"a" < 1', "'<' needs numbers, not a string", 0],
  ['-self.title', "'-' needs a number, not a string", 0],
  ['!self.pages', 'this must be true or false, it is a number', 1],
  ['self.pages && true', 'this must be true or false, it is a number', 0],
  ['true || self.pages', 'this must be true or false, it is a number', 8],
  ['self.title ? 1 : 2', 'this must be true or false, it is a string', 0],
  ['self.pages == "a"', 'a number is never equal to a string', 0],
  ['self.status == "lnet"', "it can never be 'lnet' (it is one of shelved, lent, lost)", 15, 'lent'],
  ['"lnet" == self.status', "it can never be 'lnet' (it is one of shelved, lent, lost)", 0, 'lent'],
  ['self.status in ["lnet"]', 'these are never equal: shelved, lent, lost and lnet', 0],
  ['"a" in self.title', "'in' looks into a list or a map, not a string", 7],
  ['1 in self.tags', 'a number is never equal to a string', 0],
  ['{1: 2}', 'keys of a map are text', 1],
  ['1u', 'this kind of literal is not part of the expression language', 0],
  ['b"x"', 'this kind of literal is not part of the expression language', 0],
  ['', 'Unexpected token: EOF', 0],
  ['1 +', 'Unexpected token: EOF', 3],
  ['self.title ==', 'Unexpected token: EOF', 13],
  ['"open', 'Unterminated string', 0],
  ['a ? b', 'Expected COLON, got EOF', 5],
])('%s is a mistake', (source, ...expected) => {
  expect(mistake(source)).toEqual(expected);
});

test.each<[string, string]>([
  ['days(1) + days(1)', 'duration'],
  ['nothing + days(1)', 'duration'],
  ['2 * days(1)', 'duration'],
  ['days(1) / 2', 'duration'],
  ['days(1) / days(1)', 'number'],
  ['-days(1)', 'duration'],
  ['1 < 2', 'boolean'],
  ['true ? "a" : 1', 'any'],
  ['true ? "a" : null', 'string'],
  ['[1, 2]', 'list'],
  ['[]', 'list'],
  ['{"a": 1}', 'object'],
  ['{self.title: 1}', 'map'],
  ['nothing', 'any'],
  ['null', 'null'],
])('%s has the type %s', (source, kind) => {
  expect(compile(source).compiled.type.kind).toBe(kind);
});
