import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type Bug, loadPack, replayBug } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { ROOT } from '../support/root.js';
import { startSandbox } from '../support/start-sandbox.js';

/** Queues under the cloud's own client, whose configuration is the default but for the address and the credentials. */

const KEY = 'AKIATESTSTESTS';
const PACK = join(ROOT, 'test', 'packs', 'queues');
const T0 = '2025-01-01T00:00:00Z';

const clientOf = ({ url, key }: { readonly url: string; readonly key: string }, secret = key): SQSClient =>
  new SQSClient({
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    maxAttempts: 1,
  });

const sandbox = startSandbox('test/packs/queues', { key: KEY, t0: T0, reset: { t0: T0 }, client: clientOf });

async function queue(QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
  const { QueueUrl } = await sandbox.client.send(new CreateQueueCommand({ QueueName, Attributes }));
  return String(QueueUrl);
}
const send = (QueueUrl: string, MessageBody: string, more = {}) =>
  sandbox.client.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));
const receive = async (QueueUrl: string, more = {}) => {
  const input = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0, ...more };
  return (await sandbox.client.send(new ReceiveMessageCommand(input))).Messages ?? [];
};
const bodies = async (url: string): Promise<unknown[]> => (await receive(url)).map(({ Body }) => Body);

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(PACK);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

test('queues are created once, found, listed and deleted', async () => {
  const url = await queue('jobs', { VisibilityTimeout: '60' });
  expect(url).toBe(`${sandbox.url}/000000000000/jobs`);
  expect(await queue('jobs', { VisibilityTimeout: '60' })).toBe(url);
  await expect(queue('jobs', { VisibilityTimeout: '61' })).rejects.toMatchObject({ name: 'QueueNameExists' });
  await queue('mails');
  expect((await sandbox.client.send(new GetQueueUrlCommand({ QueueName: 'jobs' }))).QueueUrl).toBe(url);
  const page = await sandbox.client.send(new ListQueuesCommand({ MaxResults: 1 }));
  expect(page.QueueUrls).toEqual([url]);
  const rest = await sandbox.client.send(new ListQueuesCommand({ MaxResults: 1, NextToken: page.NextToken }));
  expect(rest).toMatchObject({ QueueUrls: [expect.stringMatching(/mails$/)] });
  await sandbox.client.send(new DeleteQueueCommand({ QueueUrl: url }));
  await expect(send(url, 'x')).rejects.toMatchObject({ name: 'QueueDoesNotExist', $metadata: { httpStatusCode: 400 } });
});

test('a received message is hidden, comes back when its time is over, and is gone once it is deleted', async () => {
  const url = await queue('jobs');
  const sent = await send(url, 'one', { MessageAttributes: { kind: { DataType: 'String', StringValue: 'a' } } });
  const [first] = await receive(url, { MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['kind'] });
  expect(first).toMatchObject({
    MessageId: sent.MessageId,
    Body: 'one',
    Attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1735689600000' },
    MessageAttributes: { kind: { DataType: 'String', StringValue: 'a' } },
  });
  expect(await bodies(url)).toEqual([]);
  await sandbox.control.advance('30s');
  const [second] = await receive(url, { AttributeNames: ['ApproximateReceiveCount'] });
  expect(second.Attributes).toEqual({ ApproximateReceiveCount: '2' });
  await sandbox.client.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: second.ReceiptHandle, VisibilityTimeout: 300 }),
  );
  await sandbox.control.advance('299s');
  expect(await bodies(url)).toEqual([]);
  // The handle of the first receipt deletes nothing.
  await sandbox.client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first.ReceiptHandle }));
  await sandbox.control.advance('1s');
  const [third] = await receive(url);
  await sandbox.client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: third.ReceiptHandle }));
  await sandbox.control.advance('1d');
  expect(await bodies(url)).toEqual([]);
});

test('delays, counts and purges', async () => {
  const url = await queue('later', { DelaySeconds: '10' });
  await send(url, 'queue');
  await send(url, 'own', { DelaySeconds: 600 });
  await send(url, 'now', { DelaySeconds: 0 });
  expect(await bodies(url)).toEqual(['now']);
  const counts = async () =>
    (await sandbox.client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }))).Attributes;
  expect(await counts()).toMatchObject({
    QueueArn: 'arn:aws:sqs:us-east-1:000000000000:later',
    ApproximateNumberOfMessages: '0',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '2',
  });
  await sandbox.control.advance('10s');
  expect(await bodies(url)).toEqual(['queue']);
  await sandbox.client.send(new PurgeQueueCommand({ QueueUrl: url }));
  await sandbox.control.advance('1h');
  expect(await bodies(url)).toEqual([]);
});

test('what fails too often goes to the dead letters, days later, and ends with their retention', async () => {
  const dead = await queue('dead', { MessageRetentionPeriod: '1209600' });
  const url = await queue('orders', {
    MessageRetentionPeriod: '604800',
    VisibilityTimeout: '43200',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead', maxReceiveCount: 3 }),
  });
  const sources = await sandbox.client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead }));
  expect(sources.queueUrls).toEqual([url]);
  await send(url, 'bad');
  await send(url, 'good');
  for (let day = 0; day < 3; day++) {
    const found = await receive(url);
    const good = found.find(({ Body }) => Body === 'good');
    if (good) await sandbox.client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: good.ReceiptHandle }));
    await sandbox.control.advance('1d');
  }
  expect(await bodies(url)).toEqual([]);
  expect(await bodies(dead)).toEqual(['bad']);
  await sandbox.control.advance('10d');
  expect(await bodies(dead)).toEqual(['bad']);
  await sandbox.control.advance('1d');
  expect(await bodies(dead)).toEqual([]);
});

test('batches, and what is wrong with them', async () => {
  const url = await queue('jobs');
  const entries = (...ids: string[]) => ids.map((Id) => ({ Id, MessageBody: `body ${Id}` }));
  const batch = (Entries: { Id: string; MessageBody: string }[]) =>
    sandbox.client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  expect(await batch(entries('a', 'b'))).toMatchObject({ Successful: [{ Id: 'a' }, { Id: 'b' }], Failed: [] });
  await expect(batch([])).rejects.toMatchObject({ name: 'EmptyBatchRequest' });
  await expect(batch(entries('a', 'a'))).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' });
  await expect(batch(entries(...'abcdefghijk'))).rejects.toMatchObject({ name: 'TooManyEntriesInBatchRequest' });
  const found = await receive(url);
  expect(found.map(({ Body }) => Body)).toEqual(['body a', 'body b']);
  const Entries = found.map(({ ReceiptHandle }, at) => ({ Id: `${at}`, ReceiptHandle }));
  const deleted = await sandbox.client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  expect(deleted).toMatchObject({ Successful: [{ Id: '0' }, { Id: '1' }] });
});

test('a call waits until a message comes', async () => {
  const url = await queue('jobs', { ReceiveMessageWaitTimeSeconds: '20' });
  const waiting = receive(url, { WaitTimeSeconds: undefined });
  await send(url, 'late');
  expect((await waiting).map(({ Body }) => Body)).toEqual(['late']);
});

test.each([
  ['an unknown attribute', new CreateQueueCommand({ QueueName: 'x', Attributes: { Size: '1' } as never }), 'InvalidAttributeName'],
  ['a value out of bounds', new CreateQueueCommand({ QueueName: 'x', Attributes: { DelaySeconds: '901' } }), 'InvalidAttributeValue'],
  ['a queue for dead letters that is not there', new CreateQueueCommand({ QueueName: 'x', Attributes: { RedrivePolicy: '{"deadLetterTargetArn":"a:b"}' } }), 'InvalidAttributeValue'],
  ['a name that is none', new CreateQueueCommand({ QueueName: 'a b' }), 'InvalidParameterValue'],
  ['a queue that is not there', new SetQueueAttributesCommand({ QueueUrl: 'http://x/0/none', Attributes: {} }), 'QueueDoesNotExist'],
])('%s is rejected with the code of the vendor', async (_, command, name) => {
  await expect(sandbox.client.send(command as CreateQueueCommand)).rejects.toMatchObject({ name });
});

test.each([
  ['an unknown key', 'AKIAOTHER', 'AKIAOTHER', 'UnrecognizedClientException'],
  ['another secret', KEY, 'secret', 'InvalidSignatureException'],
])('%s is rejected', async (_, key, secret, name) => {
  const client = clientOf({ url: sandbox.url, key }, secret);
  await expect(client.send(new ListQueuesCommand({}))).rejects.toMatchObject({ name });
  client.destroy();
});

test('operations have names of their own in faults, and an unknown one has an error', async () => {
  await queue('jobs');
  await sandbox.control.fault({ resource: 'messages', operation: 'send', status: 503, error: { code: 'x' }, count: 1 });
  await expect(send(`${sandbox.url}/0/jobs`, 'x')).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  expect(await send(`${sandbox.url}/0/jobs`, 'x')).toMatchObject({ MD5OfMessageBody: '9dd4e461268c8034f5c8564e155c67a6' });
  const unknown = await sandbox.call('POST /', {}, { 'x-amz-target': 'AmazonSQS.Nothing', 'authorization': KEY });
  expect(unknown).toMatchObject({ status: 404, body: { __type: 'com.amazon.coral.service#UnknownOperationException' } });
});

test('the same calls give the same bytes at other ports, and a fork and a replay go on alike', async () => {
  const world = async (body: object) => {
    const made = await sandbox.admin<{ url: string; key: string }>('POST /worlds', body);
    return { client: clientOf(made.body), url: `${made.body.url}/000000000000/jobs` };
  };
  const play = async ({ client, url }: Awaited<ReturnType<typeof world>>) => {
    await client.send(new CreateQueueCommand({ QueueName: 'jobs' }));
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'one' }));
    const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl: url }));
    client.destroy();
    return Messages;
  };
  expect(await play(await world({ seed: 'same' }))).toEqual(await play(await world({ seed: 'same' })));
  const url = await queue('jobs');
  const { MessageId } = await send(url, 'one');
  const fork = await world({ from: {} });
  expect(await play(fork)).toMatchObject([{ MessageId, Body: 'one' }]);
  expect(await receive(url)).toMatchObject([{ MessageId, Body: 'one' }]);
  const { body: bug } = await sandbox.admin<Bug>('GET /export');
  const again = await replayBug(bug, { pack: PACK, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});
