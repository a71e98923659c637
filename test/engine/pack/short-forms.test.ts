import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadPack } from '../../../engine/index.js';
import { readText } from '../../../engine/pack/index.js';
import { newPack } from '../../../tools/templates/new-pack.js';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const PARCEL = 'resources/parcel.yaml';
const FRESH = newPack('fresh');

/**
 * The problems that a new pack's file has when it says something else at one place.
 * @param to what it says; `^` marks where the problem is, and is not written
 */
function problemsOf(file: string, from: string, to: string): { found: string[]; marked: string } {
  const folder = mkdtempSync(join(tmpdir(), 'short-'));
  folders.push(folder);
  const text = FRESH[file];
  expect(text.split(from)).toHaveLength(2);
  const before = text.replace(from, () => to).split('^');
  for (const [path, own] of Object.entries({ ...FRESH, [file]: before.join('') })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), own);
  }
  const lines = before[0].split('\n');
  const found = loadPack(folder).problems.filter((each) => each.file === file);
  return {
    marked: `${lines.length}:${(lines.at(-1) ?? '').length + 1}`,
    found: found.map(({ line, column, severity, code, message, suggestion }) =>
      [
        `${line}:${column}`,
        severity,
        `${code}:`,
        message,
        ...(suggestion === undefined ? [] : [`[${suggestion}]`]),
      ].join(' '),
    ),
  };
}

const FAIL = '{ fail: too_heavy, when: params.grams > 30000, with: { grams: =params.grams } }';
const TOO_HEAVY =
  'too_heavy: { status: 422, args: { grams: integer }, code: too_heavy, message: "${grams} g is more than we carry." }';

const MISTAKES: readonly (readonly [name: string, file: string, from: string, to: string, problem: string])[] = [
  [
    'an unknown name behind =',
    PARCEL,
    'delivered_at: =now }',
    'delivered_at: =^nwo }',
    `error expression: unknown name 'nwo' [now]`,
  ],
  [
    'a text behind =',
    PARCEL,
    'title: parcel } }',
    'title: =^shipment } }',
    `error expression: unknown name 'shipment'; a text stands without =`,
  ],
  [
    'a forgotten =',
    PARCEL,
    'status: =self.status',
    'status: ^self.status',
    `warning no-expression: this is the text 'self.status', not an expression [=self.status]`,
  ],
  [
    'a long template',
    PARCEL,
    'status: =self.status',
    `status: =^${Array(40).fill('self.status').join(' + ')}`,
    'warning long-expression: this expression has 557 characters, more than 300: split it into steps of `let`, a map of expressions, pure flows or a table',
  ],
  [
    'a long condition',
    PARCEL,
    'when: params.grams > 30000',
    `when: ^${Array(15).fill('params.grams > 30000').join(' && ')}`,
    'warning long-expression: this expression has 356 characters, more than 300: split it into steps of `let`, a map of expressions, pure flows or a table',
  ],
  [
    'a comma in { }',
    PARCEL,
    FAIL,
    '{ fail: too_heavy, with: { grams: ^=default(params.grams, 0) } }',
    `error yaml-unquoted: a comma ends a value inside { } and [ ]: put the expression in quotes`,
  ],
  [
    'brackets in { }',
    PARCEL,
    FAIL,
    '{ fail: too_heavy, with: { grams: ^=[1][0] } }',
    `error yaml-unquoted: an expression with [ ] or { } inside { } or [ ] needs quotes`,
  ],
  [
    'a colon in an expression',
    PARCEL,
    'default: =now }',
    'default: now }\n  late: { type: boolean, view: ^=self.grams > 1 ? true : false }',
    `error yaml-unquoted: an expression with ': ' must be quoted`,
  ],
  [
    'a name that is no variable',
    PARCEL,
    FAIL,
    '{ fail: too_heavy, with: { ^grams } }',
    `error expression: unknown name 'grams'`,
  ],
  [
    'a name that is no parameter',
    PARCEL,
    'to!, note }',
    'to!, ^noet }',
    `error unknown-parameter: 'noet' is neither in 'params' of this resource nor one of its fields: say its type [note]`,
  ],
  [
    'a field of a parameter that is no field of the resource',
    PARCEL,
    'to!, note }',
    'to!, note, all: { type: object, fields: { grams!, ^noet } } }',
    `error unknown-parameter: 'noet' is neither in 'params' of this resource nor one of its fields: say its type [note]`,
  ],
  [
    'a parameter given twice',
    PARCEL,
    'to!, note }',
    'to!, note, ^to: string }',
    `error duplicate-key: parameter 'to' is given twice`,
  ],
  [
    'params that nothing names',
    PARCEL,
    'operations:\n  create',
    'params:\n  ^colour: string\noperations:\n  create',
    `warning unused-parameter: no operation names parameter 'colour'`,
  ],
  [
    'a wrong type in params of the resource',
    PARCEL,
    'fields:  ',
    'params:\n  note: ^strin\nfields:  ',
    `error unknown-type: unknown type 'strin' [string]`,
  ],
  [
    'a key of no error',
    'errors.yaml',
    TOO_HEAVY,
    'too_heavy: { status: 422, args: { grams: integer }, ^mesage: Too heavy. }',
    "error unknown-key: unknown key 'mesage' in error [message]",
  ],
  [
    'a key beside a body',
    'errors.yaml',
    TOO_HEAVY,
    'too_heavy: { status: 422, args: { grams: integer }, ^code: a, body: {} }',
    "error invalid-value: 'code' belongs into 'body', which this error has",
  ],
  [
    'a key of an error without a body',
    'errors.yaml',
    TOO_HEAVY,
    'too_heavy: { status: 422, args: { grams: integer }, ^code: a, empty: true }',
    "error invalid-value: 'code' is of the body, and this error has none",
  ],
  [
    'a number as a name',
    'errors.yaml',
    TOO_HEAVY,
    'too_heavy: { status: 422, args: [grams, ^1] }',
    'error wrong-type: an argument in [ ] is a name; one with a type is in { }',
  ],
  [
    'defaults without body',
    'errors.yaml',
    'body: { code: invalid',
    '^bdy: { code: invalid',
    "error unknown-key: unknown key 'bdy' in defaults, which has only status and body: keys of every body are in 'body' [body]",
  ],
];

test.each(MISTAKES)('%s', (_name, file, from, to, expected) => {
  const { found, marked } = problemsOf(file, from, to);
  expect(found).toContain(`${marked} ${expected}`);
});

test('a field that is computed gives no type to a parameter', () => {
  const { found } = problemsOf(
    PARCEL,
    'delivered_at: timestamp?',
    'late: { type: boolean, view: =self.grams > 1 }\n  delivered_at: timestamp?',
  );
  expect(found).toEqual([]);
  const { problems: named } = readText(
    PARCEL,
    'resource',
    'fields: { late: { type: boolean, view: =true } }\noperations:\n  create: { params: { late! } }\n',
  );
  expect(named).toMatchObject([
    { line: 3, column: 23, message: "field 'late' is computed: say the type of the parameter" },
  ]);
});

/** Written -> long form. */
const FORMS: readonly (readonly [string, Parameters<typeof readText>[1], string, unknown])[] = [
  [
    '= begins an expression',
    'flow',
    'do: [{ return: =a.b }, { return: "=a ? b : c" }, { return: = }]',
    {
      do: [{ return: '${a.b}' }, { return: '${a ? b : c}' }, { return: '=' }],
    },
  ],
  ['a pattern is a text', 'resource', 'id: { pattern: =x }', { id: { pattern: '=x' } }],
  [
    'examples and pages of browsers have no expressions',
    'example',
    'calls: [{ json: { formula: =SUM } }]',
    { calls: [{ json: { formula: '=SUM' } }] },
  ],
  [
    'a name alone is the variable',
    'flow',
    'do: [{ run: x, with: { a, b: { c } } }]',
    { do: [{ run: 'x', with: { a: '${a}', b: { c: '${c}' } } }] },
  ],
  [
    'elsewhere it is empty, as is a key over lines',
    'resource',
    'machine: { states: { a, b } }\nto:\n  x:\n',
    { machine: { states: { a: null, b: null } }, to: { x: null } },
  ],
  [
    'a parameter may be called as a word of the language is',
    'resource',
    'fields: { to: string, with: { enum: [a] } }\noperations: { create: { params: { to!, with } } }',
    {
      fields: { to: 'string', with: { enum: ['a'] } },
      operations: { create: { params: { to: { type: 'string', required: true }, with: { enum: ['a'] } } } },
    },
  ],
  [
    'of the resource first, of the field next',
    'resource',
    'params: { a: { type: integer, min: 1 } }\nfields: { a: string, b: { type: string?, default: x } }\noperations: { go: { params: { a!, b, c!: boolean } } }',
    {
      fields: { a: 'string', b: { type: 'string?', default: 'x' } },
      operations: {
        go: {
          params: {
            a: { type: 'integer', min: 1, required: true },
            b: 'string',
            c: { type: 'boolean', required: true },
          },
        },
      },
    },
  ],
  [
    'in objects and lists of objects, at any depth',
    'resource',
    'fields: { a: integer?, b: string }\noperations: { go: { params: { thing!: { type: object, fields: { a!, b, parts: { type: array, items: { fields: { b! } } } } } } } }',
    {
      fields: { a: 'integer?', b: 'string' },
      operations: {
        go: {
          params: {
            thing: {
              type: 'object',
              fields: {
                a: { type: 'integer', required: true },
                b: 'string',
                parts: { type: 'array', items: { fields: { b: { type: 'string', required: true } } } },
              },
              required: true,
            },
          },
        },
      },
    },
  ],
  [
    'of causes',
    'causes',
    'causes: { go: { params: { a!: string }, do: [] } }',
    { causes: { go: { params: { a: { type: 'string', required: true } }, do: [] } } },
  ],
  [
    'errors',
    'errors',
    'defaults: { status: 400, body: { type: x, code: null, message: null } }\nerrors:\n  a: One text.\n  b: { status: 404, code: b, type: null }\n  c: { body: { e: 1 } }\n  d: { empty: true }\n  e: {}\n',
    {
      errors: {
        a: { status: 400, body: { type: 'x', message: 'One text.' } },
        b: { status: 404, body: { code: 'b' } },
        c: { status: 400, body: { e: 1 } },
        d: { status: 400, empty: true },
        e: { status: 400, body: { type: 'x' } },
      },
    },
  ],
];

test.each(FORMS)('%s', (_name, kind, text, expected) => {
  const { file, problems } = readText('x.yaml', kind, text);
  expect(problems).toEqual([]);
  expect(JSON.stringify(file.data)).toBe(JSON.stringify(expected));
});
