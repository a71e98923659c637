import { join } from 'node:path';
import { type Bug, loadPack, replayBug } from '../../../engine/index.js';
import { formatProblems } from '../../../engine/pack/index.js';
import { ROOT } from '../../support/root.js';
import { forTests, TestSandbox } from '../../support/start-sandbox.js';

/** Bodies in XML, in and out: elements, attributes, lists, namespaces, SOAP, errors, and what a document may not be. */

const PACK = join(ROOT, 'test', 'packs', 'telegraph');
const telegraph = forTests(new TestSandbox('test/packs/telegraph', { key: 'tg_test' }), { reset: {} });
const XML = { 'content-type': 'application/xml' };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

async function send(line: string, body?: string, headers = {}): Promise<[number, string, string | null]> {
  const called = await telegraph.call(line, body, { ...XML, ...headers });
  return [called.status, called.text.replace(DECLARATION, ''), called.headers.get('content-type')];
}

const TELEGRAM =
  '<t:telegram xmlns:t="urn:t"><t:to>Ada &amp; <![CDATA[<Bob>]]></t:to><words>3</words><lines><line>a</line><line>b</line></lines></t:telegram>';

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(PACK);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

test('elements become parameters with their types, and objects elements, attributes and lists', async () => {
  const [status, text, type] = await send('POST /telegrams', TELEGRAM);
  const id = /id="(tgm_\w+)"/.exec(text)?.[1];
  const inner = '<to>Ada &amp; &lt;Bob&gt;</to><words>3</words><lines>a</lines><lines>b</lines>';
  expect([status, text, type]).toEqual([200, `<Telegram id="${id}">${inner}</Telegram>`, 'application/xml']);
  const [, list] = await send('GET /telegrams');
  expect(list).toBe(`<Telegrams count="1"><Telegram><id>${id}</id>${inner}</Telegram></Telegrams>`);
});

test('one element is a list of one', async () => {
  const [status, text] = await send('POST /telegrams', '<t><to>Ada</to><lines><line>a</line></lines></t>');
  expect([status, text]).toEqual([200, expect.stringContaining('<lines>a</lines>')]);
});

test('a SOAP envelope is a map like any other, and its action names the operation', async () => {
  const envelope =
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:u="urn:telegraph"><soapenv:Body><u:CountWords><u:text>one two</u:text></u:CountWords></soapenv:Body></soapenv:Envelope>';
  expect(await send('POST /soap', envelope, { soapaction: '"urn:telegraph#CountWords"' })).toEqual([
    200,
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><CountWordsResult unit="word">2</CountWordsResult></soap:Body></soap:Envelope>',
    'application/xml',
  ]);
});

test('errors are XML too, and one with a type of its own goes out as it is', async () => {
  expect(await send('GET /telegrams/tgm_1')).toEqual([
    404,
    '<Error xmlns="urn:telegraph"><Code>NoTelegram</Code><Message>No telegram "tgm_1" &lt;here&gt;.</Message></Error>',
    'application/xml',
  ]);
  const [, text] = await send('POST /telegrams', TELEGRAM);
  expect(await send(`POST /telegrams/${/id="(\w+)"/.exec(text)?.[1]}/cut`)).toEqual([
    502,
    '<html><body>The line is cut</body></html>',
    'text/html',
  ]);
});

test.each([
  ['an element that is not closed', '<t><to>a</t>'],
  ['text', 'to=a'],
  ['a DOCTYPE with entities', '<!DOCTYPE t [<!ENTITY a "b">]><t><to>&a;</to></t>'],
  ['an entity that XML does not have', '<t><to>&a;</to></t>'],
  ['too many levels', '<a>'.repeat(100_000)],
  ['a name that reaches a prototype', '<t><__proto__>1</__proto__></t>'],
])('%s is rejected', async (_, body) => {
  const [status, text] = await send('POST /telegrams', body);
  expect([status, text]).toEqual([400, expect.stringContaining('<Code>Malformed</Code>')]);
  expect((await telegraph.control.state()).resources['telegrams']).toEqual([]);
});

test('a replay sends the same bodies', async () => {
  await send('POST /telegrams', TELEGRAM);
  const { body } = await telegraph.admin<Bug>('GET /export');
  const again = await replayBug(body, { pack: PACK, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});
