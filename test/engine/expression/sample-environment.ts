import { closest, distance } from 'fastest-levenshtein';
import { equal, type Json } from '../../../engine/values/index.js';
import {
  ANY,
  BOOLEAN,
  compileExpression,
  type Compiled,
  type Environment,
  type Host,
  listType,
  mapType,
  NUMBER,
  objectType,
  Scope,
  STRING,
  type Type,
  CodeUnit,
} from '../../../engine/expression/index.js';
import { ExpressionError } from '../../../engine/expression/parse.js';

/** An invented vendor: a library that lends books and sends parcels. */
const STATUS: Type = { kind: 'string', values: ['shelved', 'lent', 'lost'] };

export const BOOK = objectType(
  [
    ['id', STRING],
    ['title', STRING],
    ['pages', NUMBER],
    ['price', NUMBER],
    ['status', STATUS],
    ['reserved', BOOLEAN],
    ['tags', listType(STRING)],
    ['labels', mapType(STRING)],
    ['due', NUMBER],
    ['shelf', objectType([['row', NUMBER]])],
    ['extra', ANY],
    ['sequel', { kind: 'string', refs: ['book'] }],
    ['holder', { kind: 'string', refs: ['book', 'member'] }],
  ],
  'book',
  'book',
);

export const DUNE = {
  id: 'book_1',
  title: 'Dune',
  pages: 612,
  price: 1999,
  status: 'shelved',
  reserved: false,
  tags: ['sf', 'desert'],
  labels: { spine: 'red' },
  due: null,
  shelf: { row: 7 },
  extra: { nested: { deep: [1, 2] } },
  sequel: 'book_2',
  holder: 'member_1',
};
export const EMMA = { ...DUNE, id: 'book_2', title: 'Emma', status: 'lent', tags: [] };

const BOOKS = [DUNE, EMMA];
const MEMBER = objectType(
  [
    ['id', STRING],
    ['name', STRING],
  ],
  'member',
  'member',
);
const NOW = Date.UTC(2026, 0, 31, 12, 30, 15) / 1000;

const GENRES = [
  { code: 'sf', name: 'Science fiction' },
  { code: 'ro', name: 'Romance' },
];

export const environment: Environment = {
  resources: new Map([
    ['book', { index: 0, type: BOOK, shapes: [] }],
    ['member', { index: 1, type: MEMBER, shapes: [] }],
  ]),
  tables: new Map([
    [
      'genres',
      {
        name: 'genres',
        row: objectType(
          [
            ['code', STRING],
            ['name', STRING],
          ],
          'genres',
        ),
        columns: new Map([
          ['code', STRING],
          ['name', STRING],
        ]),
        rows: GENRES,
        find: (column: string, value: Json) => GENRES.find((row) => equal(row[column as 'code'], value)) ?? null,
      },
    ],
  ]),
  vars: new Map([['vendor', 'library']]),
  hasTenants: true,
  scopes: { asked: false },
  durations: new Set(['loan_time']),
  rateLimits: new Set(['loans']),
  idFormats: new Set(['short']),
  scenarioValues: new Set(['speed']),
  timestamp: NUMBER,
  request: objectType([['id', STRING]], 'request'),
  fromMs: (ms) => Math.floor(ms / 1000),
  toMs: (value) => Number(value) * 1000,
  suggest: (word, known) => {
    const near = closest(word, [...known]);
    return near !== undefined && distance(word, near) <= 2 ? near : undefined;
  },
};

export const host: Host = {
  nowMs: NOW * 1000,
  now: NOW,
  timeOf: (id) => (id === 'own_1' ? NOW - 60 : NOW),
  lookupObject: (resource, id) => (resource === 0 ? BOOKS.find((book) => book.id === id) : undefined),
  findObjects: (resource, where, limit) =>
    (resource === 0 ? BOOKS : [])
      .filter((book) => where.every(([field, value]) => equal(book[field as 'id'], value)))
      .slice(0, limit),
  unsupported: () => undefined,
  countObjects: (resource, where) => host.findObjects(resource, where, Infinity).length,
  answer: (resource, object) => ({ resource, id: object['id'] }),
  baseUrl: 'http://localhost:4010',
  worldTag: '~7~',
  subscribers: (type) => type.length,
  undelivered: () => 0,
  deliveries: () => [],
  randomInt: (low) => low,
  randomString: (length) => 'r'.repeat(length),
  newIdOf: (prefix, format) => `${prefix}<${format}>`,
  withRequestRandom: (run) => run(),
  hash: (text, length) => text.repeat(length).slice(0, length),
  durationMs: () => 5000,
  pinned: (resource, id, path) => `${resource}/${id ?? '*'}/${path}`,
  pinsWithin: (_resource, _id, path) => [
    { keys: [], value: { title: path, pages: 1 } },
    { keys: ['pages'], value: null },
    { keys: ['title', 'deep'], value: 2 },
  ],
  rateLimit: (name) => ({ remaining: name.length }),
  scenarioValue: (name) => `value of ${name}`,
  spend: () => undefined,
  enter: () => undefined,
  leave: () => undefined,
  holder: () => null,
  tenant: 'library_1',
  actor: null,
  hasScope: (name) => name === 'read',
  hasSwitch: () => false,
  within: (_tenant, show) => show(),
  inTimeOf: (_object, show) => show(),
};

/** What tests may name: `self` (live), `params`, `n`, `nothing`, and `item` of any type. */
export function scopeOf(): { scope: Scope; run: (compiled: Compiled, values?: Partial<Given>) => Json } {
  const unit = new CodeUnit('test');
  const scope = new Scope(unit);
  const variables = [
    scope.declare('self', BOOK, true),
    scope.declare(
      'params',
      objectType([
        ['count', NUMBER],
        ['name', STRING],
        ['loud', BOOLEAN],
        ['names', listType(STRING)],
      ]),
    ),
    scope.declare('nothing', ANY),
    scope.declare('item', ANY),
  ];
  return {
    scope,
    run: (compiled, { params, item } = {}) => {
      const run = unit.expression<[Host, ...unknown[]]>(['x', ...variables.map(({ js }) => js)], compiled);
      const given = params ?? { count: 3, name: 'Ann', names: ['b', 'a'], loud: null };
      return run(host, { value: DUNE }, given, null, item ?? null);
    },
  };
}

export interface Given {
  readonly params: Json;
  readonly item: Json;
}

export function compile(source: string): { compiled: Compiled; run: (values?: Partial<Given>) => Json } {
  const { scope, run } = scopeOf();
  const compiled = compileExpression(source, scope, environment);
  return { compiled, run: (values) => run(compiled, values) };
}

/** The value of an expression. */
export function value(source: string, given: Partial<Given> = {}): Json {
  return compile(source).run(given);
}

/** The mistake in an expression: message, offset, suggestion. */
export function mistake(source: string): [message: string, offset: number, suggestion?: string] {
  try {
    compile(source);
  } catch (error) {
    if (error instanceof ExpressionError) {
      const { message, start, suggestion } = error;
      return suggestion === undefined ? [message, start] : [message, start, suggestion];
    }
    throw error;
  }
  throw new Error(`no mistake found in ${source}`);
}
