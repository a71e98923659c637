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
