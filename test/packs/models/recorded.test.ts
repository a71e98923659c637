import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { parse } from 'yaml';
import { recordingProxy } from '../../../tools/recordings/proxy.js';
import type { Recorded } from '../../../tools/recordings/read.js';
import { runCommand } from '../../support/command.js';
import { clientsOf, script, startModels, type Clients } from './served-models.js';

/** A conversation with a vendor (here another world), recorded on its way, is what the model says again. */

const vendor = startModels({ seed: 'vendor' });
const replayed = startModels({ seed: 'replayed', vars: { unscripted: 'error' } });
const folder = mkdtempSync(join(tmpdir(), 'conversations-'));
const recorded: Recorded[] = [];
const proxy = { url: '', close: (): void => undefined };
beforeAll(async () => {
  const server = recordingProxy(new URL(vendor.url), (call) => recorded.push(call));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.close = () => void server.close();
});
afterAll(() => {
  proxy.close();
  rmSync(folder, { recursive: true });
});

const SECRET = 'sk-live-4fQ9zL2xV7bN1mK8sD3gH6jT';
const TOOL = { name: 'get_order', input_schema: { type: 'object' as const, properties: {} } };
const FUNCTION = { name: 'get_order', parameters: { type: 'object', properties: {} } };
const fails = (error: unknown): unknown => (error as { status: number }).status;

/** Everything that an application asked, and what it got. @param tools what the tool returned, which differs every time */
async function converse({ openai, anthropic }: Clients, tools: string): Promise<unknown[]> {
  const heard: unknown[] = [];
  const asked = { model: 'claude-haiku-4-5', max_tokens: 500, tools: [TOOL] };
  const history: Anthropic.MessageParam[] = [{ role: 'user', content: 'Where is order 17?' }];
  const first = await anthropic.messages.stream({ ...asked, messages: history }).finalMessage();
  const [use] = first.content.filter((block) => block.type === 'tool_use');
  history.push({ role: 'assistant', content: first.content as Anthropic.ContentBlockParam[] });
  history.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: tools }] });
  const pieces: string[] = [];
  const last = anthropic.messages.stream({ ...asked, messages: history }).on('text', (piece) => void pieces.push(piece));
  const { content, usage, stop_reason } = await last.finalMessage();
  heard.push(use.name, use.input, pieces, content.map((block) => block.type === 'text' && block.text), usage.output_tokens, stop_reason);

  const messages = [{ role: 'user' as const, content: `My key is ${SECRET}, is it good?` }];
  const chat = openai.chat.completions.stream({ model: 'gpt-4o-mini', messages, tools: [{ type: 'function', function: FUNCTION }] });
  const { choices } = await chat.finalChatCompletion();
  heard.push(choices[0].message.content, choices[0].message.tool_calls?.map((call) => call.type === 'function' && JSON.parse(call.function.arguments) as unknown));
  const ask = async (): Promise<unknown> => (await openai.chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Again?' }] })).choices[0].message.content;
  heard.push(await ask(), await ask());

  const response = await openai.responses.stream({ model: 'gpt-5-mini', input: 'Think' }).finalResponse();
  heard.push(response.output_text, response.output.map(({ type }) => type));
  const next = await openai.responses.create({ model: 'gpt-5-mini', previous_response_id: response.id, input: 'And now?' });
  heard.push(next.output_text);
  heard.push(await openai.responses.create({ model: 'gpt-5-mini', input: 'Busy?' }).catch(fails));
  const broken = openai.responses.create({ model: 'gpt-5-mini', input: 'Break', stream: true });
  let begun = '';
  const reading = async (): Promise<void> => {
    for await (const event of await broken) if (event.type === 'response.output_text.delta') begun += event.delta;
  };
  await reading().catch(() => undefined);
  heard.push(begun);
  return heard;
}

/** A HAR file of calls. */
const harOf = (calls: readonly Recorded[]): string => {
  const pairs = (of: Readonly<Record<string, string>>) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const entries = calls.map(({ method, url, headers, body, status, responseHeaders, text }) => ({
    request: { method, url: url.href, headers: pairs(headers), postData: { text: body } },
    response: { status, headers: pairs(responseHeaders), content: { text } },
  }));
  return JSON.stringify({ log: { version: '1.2', entries } });
};

test('a recorded conversation of all three APIs, streams, tools and errors is repeated, without its secrets', async () => {
  await script(
    vendor,
    { match: { after: 'get_order' }, reply: { text: 'It is on its way, to Ann.', pieces: ['It is on', ' its way, to Ann.'] } },
    { match: { api: 'messages', user: 'order 17' }, reply: { text: 'I look.', calls: [{ name: 'get_order', arguments: { id: 17, deep: [{ a: 'b' }] } }] } },
    { match: { user: 'My key' }, reply: { text: `No: ${SECRET} is old.`, calls: [{ name: 'get_order', arguments: { id: 'x' } }] } },
    { match: { user: 'Again' }, replies: [{ text: 'Once.' }, { text: 'Twice.' }] },
    { match: { user: 'Think' }, reply: { thinking: 'Let me see.', text: 'Done.' } },
    { match: { user: 'And now' }, reply: { text: 'Later.' } },
    { match: { user: 'Busy' }, reply: { error: { status: 429, message: 'Too many.' } } },
    { match: { user: 'Break' }, reply: { text: 'one two three', error: { after: 2, message: 'Gone.' } } },
  );
  const { key } = vendor;
  const heard = await converse(clientsOf({ url: proxy.url, key }), '{"at":"2026-01-05"}');
  expect(heard.slice(0, 3)).toEqual(['get_order', { id: 17, deep: [{ a: 'b' }] }, ['It is on', ' its way, to Ann.']]);
  const [har, seeds] = [join(folder, 'calls.har'), join(folder, 'scripts.yaml')];
  writeFileSync(har, harOf(recorded));
  const { code, stdout, stderr } = await runCommand(['record', har, '--to', 'models', '--seed-file', seeds]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`${recorded.length} calls`);
  const text = readFileSync(seeds, 'utf8');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(key);
  await replayed.control.seed(parse(text) as never);
  const again = await converse(replayed.client, '{"at":"another day"}');
  expect(again).toEqual(JSON.parse(JSON.stringify(heard).replaceAll(SECRET, '***')));
});

test('calls that the pack makes nothing of are named, and so is a pack that takes none', async () => {
  const har = join(folder, 'other.har');
  const other = { ...recorded[0], url: new URL('https://api.example/v1/embeddings') };
  writeFileSync(har, harOf([other]));
  const to = (pack: string) => runCommand(['record', har, '--to', pack, '--seed-file', join(folder, 'none.yaml')]);
  expect(await to('models')).toMatchObject({ code: 1, stderr: expect.stringContaining("'path'") });
  expect(await to('messaging')).toMatchObject({ code: 1, stderr: expect.stringContaining('call.recorded') });
});
