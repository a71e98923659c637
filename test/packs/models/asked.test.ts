import { useSandbox } from '../../../tools/in-tests/jest.cjs';
import { clientsOf, type Clients } from './served-models.js';

/** What an application asked, as its tests see it. */

const sandbox = useSandbox({ packs: ['models', { pack: 'payments', name: 'money' }], t0: '2026-01-05T09:00:00Z' });
const clients = (): Clients => clientsOf({ url: sandbox.vendors.models.url, key: sandbox.vendors.models.key });

const messages = [{ role: 'user' as const, content: 'Where is order 17?' }];

test('what was asked is found by a text, by fields and by the operation', async () => {
  const { models, money } = sandbox.vendors;
  await clients().openai.chat.completions.create({ model: 'gpt-4o-mini', messages });
  await clients().anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'And 18?' }] });
  await expect(clients().openai.responses.create({ model: 'gpt-9', input: 'And 19?' })).rejects.toThrow();
  await expect(models).toHaveBeenAsked('order 17');
  await expect(models).toHaveBeenAsked({ role: 'user', content: 'Where is order 17?' });
  await expect(models).toHaveBeenAsked({ model: 'claude-haiku-4-5', messages: expect.any(Array) }, 'messages.create');
  await expect(models).toHaveBeenAsked('And 19?', 'responses.create');
  await expect(sandbox).toHaveBeenAsked('And 18?');
  await expect(models).not.toHaveBeenAsked('And 18?', 'chat_completions.create');
  await expect(money).not.toHaveBeenAsked('order 17');
  await expect(expect(models).toHaveBeenAsked('order 20')).rejects.toThrow(/expected a caller to have asked 'order 20'[^]*chat_completions.create .*order 17/);
  await expect(expect(money).toHaveBeenAsked({ a: 1 })).rejects.toThrow('nothing was asked');
});

test('a script can be added by an external event, a model retired, an answer pinned', async () => {
  const { models } = sandbox.vendors;
  await models.control.event('script.added', { match: { user: 'order' }, reply: { text: 'It is late.' } });
  const ask = () => clients().openai.chat.completions.create({ model: 'gpt-4o-mini', messages });
  expect((await ask()).choices[0].message.content).toBe('It is late.');
  await models.control.event('model.retired', { model: 'gpt-4o-mini' });
  await expect(ask()).rejects.toMatchObject({ code: 'model_not_found' });
});

test.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const)('a recorded call of %s becomes a script', async (path) => {
  const { models } = sandbox.vendors;
  const content = 'Say {{ this }}.';
  const request = path === '/v1/responses' ? { model: 'gpt-5', input: content } : { model: 'gpt-5', max_tokens: 9, messages: [{ role: 'user', content }] };
  const texts = {
    '/v1/chat/completions': { choices: [{ finish_reason: 'stop', message: { content } }], usage: { prompt_tokens: 3, completion_tokens: 70 } },
    '/v1/responses': { output: [{ type: 'message', content: [{ type: 'output_text', text: content }] }], usage: { input_tokens: 3, output_tokens: 70 } },
    '/v1/messages': { content: [{ type: 'text', text: content }], usage: { input_tokens: 3, output_tokens: 70 } },
  };
  await models.control.event('call.recorded', { path, request, response: texts[path] });
  const { openai, anthropic } = clients();
  const ask = async (text: string): Promise<unknown[]> => {
    if (path === '/v1/responses') {
      const { output_text, usage } = await openai.responses.create({ model: 'gpt-5-mini', input: text });
      return [output_text, usage?.output_tokens];
    }
    const asked = [{ role: 'user' as const, content: text }];
    if (path === '/v1/messages') {
      const { content: [block], usage } = await anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 90, messages: asked });
      return [block.type === 'text' && block.text, usage.output_tokens];
    }
    const { choices, usage } = await openai.chat.completions.create({ model: 'gpt-4o-mini', messages: asked });
    return [choices[0].message.content, usage?.completion_tokens];
  };
  expect(await ask(content)).toEqual([content, 70]);
  expect(await ask('Something else')).toEqual(['Something else', 4]);
});
