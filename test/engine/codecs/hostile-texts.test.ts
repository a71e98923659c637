import {
  decodeXml,
  jsonOrNull,
  jmespathProblem,
  markdownHtml,
  readJwt,
  readSearch,
  textDiff,
  xmlValue,
} from '../../../engine/codecs/index.js';

/**
 * Texts that a caller repeats to keep a reader busy: each is read in time that grows with its length. A reader that tries every way through
 * them would need hours, so the test would end by its time limit.
 */

const LENGTH = 65_536;
const repeated = (part: string): string => part.repeat(LENGTH / part.length);

test.each([
  '[',
  '![',
  '[a](',
  '[[a]',
  '[a]: b\n',
  '**',
  '*a ',
  '_a',
  '*_',
  '~~',
  '`',
  '`a``',
  '> ',
  '- ',
  '1. ',
  '\n- \n- ',
  '<',
  '<a>',
  '<!--',
  '|a',
  '\\',
  '&',
  'http://',
  'http://a.b ',
  'a@',
])('Markdown of %j', (part) => {
  expect(markdownHtml(repeated(part))).toEqual(expect.any(String));
});

test.each<[string, string]>([
  ['elements', `<r>${repeated('<a/>')}</r>`],
  ['attributes', `<r ${Array.from({ length: 5_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`],
  ['levels', repeated('<r>')],
  ['a name', `<${repeated('r')}`],
  ['comments', `<r><!--${repeated('- ')}--></r>`],
  ['entities', `<r>${repeated('&amp;')}</r>`],
  ['sections', `<r>${repeated('<![CDATA[')}`],
  ['instructions', repeated('<?')],
])('XML of many %s', (_, text) => {
  const decoded = decodeXml(Buffer.from(text));
  expect(xmlValue(text) === null).toBe(!decoded.ok);
});

test.each(['[', '(', '!', 'a|', 'a.', '"', '`', '@[*]'])('JMESPath of %j', (part) => {
  const problem = jmespathProblem(part.repeat(999 / part.length));
  expect(problem === undefined || typeof problem === 'string').toBe(true);
});

test.each(['a\nb\n', 'a\n', '\n'])('differences of texts of %j', (part) => {
  expect(textDiff(repeated(part), `b\n${repeated('b\na\n')}`).patch).toEqual(expect.any(String));
});

test.each(['[', '{"a":', '[{"a":'])('JSON of many %j', (part) => {
  const deep = `${repeated(part)}1${repeated(']')}`;
  expect(jsonOrNull(deep)).toBeNull();
  expect(readJwt([deep, deep, deep].map((text) => Buffer.from(text).toString('base64url')).join('.'))).toBeNull();
});

test('a token of dots, and a search of quotes', () => {
  expect(readJwt(repeated('.'))).toBeNull();
  expect(() => readSearch(repeated('"'), () => false)).not.toThrow();
});
