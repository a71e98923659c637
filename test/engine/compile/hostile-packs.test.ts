import fc from 'fast-check';
import { type Json } from '../../../engine/values/index.js';
import { compileTemplate, Scope, SourceTexts, CodeUnit } from '../../../engine/expression/index.js';
import { environment, host } from '../expression/sample-environment.js';
import { PackWorld } from '../../support/pack-world.js';

/** Runs if a text of a pack gets out of the place where it was written. */
const ESCAPE = 'globalThis.escaped = true';
const HOSTILE = [
  `"; ${ESCAPE}; "`,
  `'; ${ESCAPE}; '`,
  `\`; ${ESCAPE}; \``,
  `\\"; ${ESCAPE}; \\"`,
  `\n${ESCAPE}\n`,
  `\r\n${ESCAPE};`,
  `\u2028${ESCAPE}\u2029`,
  `*/ ${ESCAPE} /*`,
  `// ${ESCAPE}`,
  `}); ${ESCAPE}; (() => {`,
  `</script><script>${ESCAPE}</script>`,
  `\\u0022; ${ESCAPE}; \\u0022`,
  `\\u{22}+(${ESCAPE})+\\x22`,
  `$\u200b{${ESCAPE}}`,
  `#{${ESCAPE}} <%= ${ESCAPE} %>`,
  `//# sourceURL=x\n//# sourceMappingURL=data:,${ESCAPE}`,
  '__proto__',
  'constructor',
  '\u0000\ud800\\',
  '-->',
  '<!--',
];

/** What no pack may call a key, and what no text of an expression may be. */
const REFUSED = ['__proto__', 'constructor', '\u0000\ud800\\'];

/** Words of JavaScript that are none of the expression language, what objects inherit, and what emitted text calls things. */
const NAMES = ['toString', 'hasOwnProperty', 'arguments', 'eval', 'new', 'class', 'x', 'undefined', 'made', 'call'];

afterEach(() => expect(globalThis).not.toHaveProperty('escaped'));

/** What a template gives, with the names that it sees called as given. */
function evaluate(template: Json, names: Readonly<Record<string, Json>> = {}): Json {
  const unit = new CodeUnit(HOSTILE.join(''), undefined, new SourceTexts());
  const scope = new Scope(unit);
  const parameters = Object.keys(names).map((name) => scope.declare(name, { kind: 'any' }).js);
  const compiled = compileTemplate(template, scope, environment);
  const values = Object.values(names);
  return unit.function<(...args: unknown[]) => Json>(['x', ...parameters], [`return ${compiled.js};`])(host, ...values);
}

test.each(HOSTILE)('%j stays text in expressions', (text) => {
  const quoted = JSON.stringify(text);
  expect(evaluate(text)).toBe(text);
  expect(evaluate(`\${item}${text}`, { item: 'a' })).toBe(`a${text}`);
  expect(evaluate({ a: ['${item}', text] }, { item: 1 })).toEqual({ a: [1, text] });
  const keyed = evaluate(JSON.parse(`{${quoted}: "\${item}"}`) as Json, { item: 1 });
  expect(JSON.stringify(keyed)).toBe(`{${quoted}:1}`);
});

test.each(HOSTILE.filter((text) => !REFUSED.includes(text)))('%j stays text in every place of a pack', (text) => {
  const quoted = JSON.stringify(text);
  const { pack, create, fail, list } = world(text);
  expect(create).toMatchObject({ text, list: [text], map: JSON.parse(`{${quoted}:${quoted}}`) as Json });
  expect(create).toMatchObject({ chosen: text, looked: text, joined: `1${text}2`, shown: text, nested: { text } });
  expect(JSON.stringify(create['keyed'])).toBe(`{${quoted}:true}`);
  expect(fail).toEqual({ error: text, [`key ${text}`]: 1 });
  expect(list).toContain(JSON.stringify(`about ${text}`));
  expect(pack.defects).toEqual([]);
});

test('any text stays text', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...HOSTILE));
  fc.assert(
    fc.property(texts, texts, fc.json(), (key, text, json) => {
      const plain = text.replaceAll('$', '');
      expect(evaluate(plain)).toBe(plain);
      expect(evaluate(`\${item}${plain}`, { item: '' })).toBe(plain);
      const made = evaluate({ [key === '__proto__' ? 'a' : key]: `\${item}${plain}` }, { item: '' });
      expect(made).toEqual({ [key === '__proto__' ? 'a' : key]: plain });
      expect(JSON.stringify(evaluate(`\${${JSON.stringify(JSON.parse(json))}}`))).toBe(
        JSON.stringify(JSON.parse(json)),
      );
    }),
    { numRuns: 500 },
  );
});

test('a variable may be called by any name', () => {
  for (const name of NAMES) expect(evaluate(`\${${name} + 1}`, { [name]: 1 })).toBe(2);
  const all = Object.fromEntries(NAMES.map((name, index) => [name, index]));
  expect(evaluate('${toString}', all)).toBe(NAMES.indexOf('toString'));
});

test('flows, fields, parameters and variables may have the names of the language', () => {
  for (const name of NAMES) {
    const files = {
      'resources/order.yaml': JSON.stringify({
        resource: 'order',
        collection: 'orders',
        fields: { [name]: { type: 'string', nullable: true }, other: { type: 'string', default: 'x' } },
        operations: {
          create: { params: { [name]: 'string' } },
          update: { params: { [name]: 'string' } },
          turn: {
            do: [
              { let: { [name]: `self["${name}"] + '!'` } },
              { run: name, with: { [name]: `\${${name}}` }, as: 'made' },
              { set: 'self', to: { [name]: '${made}' } },
            ],
          },
        },
      }),
      'flows/any.yaml': JSON.stringify({
        flow: name,
        args: { [name]: 'string' },
        do: [{ return: `\${${name} + '?'}` }],
      }),
    };
    const pack = new PackWorld(files);
    const made = pack.do('orders.create', { [name]: 'a' });
    expect(Object.entries(made).filter(([key]) => key === name)).toEqual([[name, 'a']]);
    const path = { id: String(made['id']) };
    expect(Object.entries(pack.do('orders.turn', {}, path)).filter(([key]) => key === name)).toEqual([[name, 'a!?']]);
    expect(pack.do('orders.update', { [name]: 'b' }, path)).toMatchObject({ [name]: 'b', other: 'x' });
  }
});

/** A pack with a text in every place that takes one, and what it answers. */
function world(text: string) {
  const told = text.replaceAll('${', '$${');
  const quoted = JSON.stringify(text);
  const resource = {
    resource: 'order',
    collection: 'orders',
    description: text,
    title: told,
    fields: {
      text: { type: 'string', default: told, description: text },
      list: { type: 'array', items: 'string', default: [told] },
      map: { type: 'any', default: {} },
      chosen: { type: 'string', nullable: true },
      looked: { type: 'string', nullable: true },
      joined: { type: 'string', nullable: true },
      keyed: { type: 'any', nullable: true },
      shown: { type: 'string', view: told },
      nested: { type: 'object', fields: { text: { type: 'string', default: told } } },
    },
    operations: {
      create: {
        description: text,
        do: [
          { let: { given: quoted, row: `lookup(words, word, ${quoted})` } },
          {
            create: 'order',
            with: {
              map: Object.fromEntries([[text, '${given}']]),
              chosen: `\${given == ${quoted} ? ${quoted} : 'other'}`,
              looked: '${row.word}',
              joined: `\${1}${told}\${2}`,
              keyed: `\${{${quoted}: true}}`,
            },
          },
        ],
      },
      refuse: { do: [{ fail: 'refused', with: { what: told } }] },
      list: {},
    },
  };
  const pack = new PackWorld({
    'pack.yaml': `description: ${quoted}
lists: ${JSON.stringify({ envelope: { [`key ${text}`]: '${has_more}', about: `about ${told}`, data: '${data}' } })}
`,
    'resources/order.yaml': JSON.stringify(resource),
    'tables/words.yaml': JSON.stringify({ table: 'words', columns: { word: 'string' }, rows: [{ word: text }] }),
    'errors.yaml': JSON.stringify(errorsWith(told, text)),
  });
  const create = pack.do('orders.create');
  return {
    pack,
    create,
    fail: JSON.parse(pack.call('orders.refuse', {}, { id: String(create['id']) }).body ?? '') as Json,
    list: pack.call('orders.list').body,
  };
}

/** The errors that every pack needs, and one whose body holds a text. */
function errorsWith(told: string, text: string): Json {
  const names = ['api_key_missing', 'api_key_invalid', 'unknown_route', 'body_malformed', 'internal_error', 'fault'];
  const plain = Object.fromEntries(
    [...names, 'not_found', 'parameter_missing', 'parameter_unknown', 'parameter_invalid', 'wrong_state'].map(
      (name) => [name, { status: 400 }],
    ),
  );
  return {
    errors: {
      ...plain,
      refused: {
        status: 402,
        description: text,
        args: { what: 'string' },
        headers: { 'X-Told': told },
        body: { error: '${what}', [`key ${text}`]: '${1}' },
      },
    },
  };
}
