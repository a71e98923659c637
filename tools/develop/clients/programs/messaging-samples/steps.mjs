/** Two samples of the vendor: one sends a message, one makes a call that requests its instructions. */
import { application, control, equal, key, step } from './kit.mjs';

const env = {
  TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
  TWILIO_AUTH_TOKEN: key,
  TWILIO_NUMBER: '+15005550006',
  AGENT_NUMBER: '+14155550123',
};
const post = (port, path, form) =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: new URLSearchParams(form) });
const first = async (collection) => (await control('GET', `/state?resource=${collection}`)).resources[collection][0];

const leads = await step('the example of messages starts', () =>
  application('leads', 'index.js', 'listening on *:8924', { ...env, PORT: '8924' }),
);
await step('its page', async () => {
  const page = await fetch('http://127.0.0.1:8924/');
  equal([page.status, (await page.text()).includes('Sunnybrook')], [200, true], 'page');
});
await step('a lead is a message to the agent, which is delivered', async () => {
  const response = await post(8924, '/leads', { name: 'Ada', phone: '+14155550100', message: 'Is it warm?' });
  equal([response.status, await response.text()], [200, 'Lead notification was successfully sent.'], 'response');
  await control('POST', '/clock/advance', { duration: '1m' });
  const { to, from, body, status } = await first('messages');
  equal(
    [to, from, status, body.includes('Is it warm?')],
    ['+14155550123', '+15005550006', 'delivered', true],
    'message',
  );
});
await step('a message that is rejected is an error of the application', async () => {
  const fault = {
    resource: 'messages',
    operation: 'create',
    status: 400,
    error: { code: '21610', message: 'no' },
    count: 1,
  };
  await control('POST', '/faults', fault);
  const response = await post(8924, '/leads', { name: 'Ada', phone: '+14155550100', message: 'Again?' });
  equal(response.status, 500, 'response');
});
leads.stop();

const calls = await step('the example of calls starts', () =>
  application('calls', 'app.js', 'running on port 8925', { ...env, PORT: '8925' }),
);
await step('a click is a call, which asks the application what to do', async () => {
  const response = await post(8925, '/call', { phoneNumber: '+14155550100', salesNumber: '+14155550123' });
  equal(await response.json(), { message: 'Thank you! We will be calling you shortly.' }, 'response');
  await control('POST', '/clock/advance', { duration: '10s', pace: true });
  equal((await first('calls')).status, 'in-progress', 'the call');
  equal(calls.printed().includes('POST /outbound/'), true, 'its question');
});
await step('the call ends', async () => {
  await control('POST', '/clock/advance', { duration: '1m' });
  equal((await first('calls')).status, 'completed', 'the call');
});
calls.stop();
