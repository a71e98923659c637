import { join } from 'node:path';
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { type Bug, loadPack, replayBug } from '../../engine/index.js';
import { formatProblems } from '../../engine/pack/index.js';
import { ROOT } from '../support/root.js';
import { startSandbox } from '../support/start-sandbox.js';

/** Tables of items under the cloud's own client, whose configuration is the default but for the address and the credentials. */

const PACK = join(ROOT, 'test', 'packs', 'tables');
const clientOf = ({ url, key }: { readonly url: string; readonly key: string }): DynamoDBClient =>
  new DynamoDBClient({
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: key, secretAccessKey: key },
    maxAttempts: 1,
  });
const sandbox = startSandbox('test/packs/tables', { key: 'AKIATESTS', reset: {}, client: clientOf });

const TableName = 'orders';
type Item = Record<string, AttributeValue>;
const TABLE = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: ['shop', 'number', 'state'].map((name) => ({
    AttributeName: name,
    AttributeType: name === 'number' ? ('N' as const) : ('S' as const),
  })),
  KeySchema: [
    { AttributeName: 'shop', KeyType: 'HASH' as const },
    { AttributeName: 'number', KeyType: 'RANGE' as const },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-state',
      KeySchema: [
        { AttributeName: 'state', KeyType: 'HASH' as const },
        { AttributeName: 'number', KeyType: 'RANGE' as const },
      ],
      Projection: { ProjectionType: 'ALL' as const },
    },
  ],
};
const key = (number: number, shop = 'bern'): Item => ({ shop: { S: shop }, number: { N: String(number) } });
const order = (number: number, more: Item = {}): Item => ({ ...key(number), state: { S: 'open' }, ...more });
const put = (Item: Item, more: Partial<PutItemCommandInput> = {}) =>
  sandbox.client.send(new PutItemCommand({ TableName, Item, ...more }));
const get = async (Key: Item, ProjectionExpression?: string) =>
  (await sandbox.client.send(new GetItemCommand({ TableName, Key, ProjectionExpression }))).Item;
const update = async (more: Partial<UpdateItemCommandInput>, Key = key(1)) =>
  (await sandbox.client.send(new UpdateItemCommand({ TableName, Key, ReturnValues: 'ALL_NEW', ...more }))).Attributes;
const query = (more: Partial<QueryCommandInput>) =>
  sandbox.client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'shop = :shop',
      ...more,
      ExpressionAttributeValues: { ':shop': { S: 'bern' }, ...more.ExpressionAttributeValues },
    }),
  );
const numbers = ({ Items = [] }: { readonly Items?: readonly Item[] }) => Items.map(({ number }) => Number(number.N));

beforeEach(async () => {
  await sandbox.client.send(new CreateTableCommand(TABLE));
});

test('the pack has no problem, not even a warning', () => {
  const { problems, source } = loadPack(PACK);
  expect(formatProblems(problems, { format: 'text', color: false, source })).toBe('');
});

test('tables are created, described, listed and deleted', async () => {
  await waitUntilTableExists({ client: sandbox.client, maxWaitTime: 60 }, { TableName });
  await expect(sandbox.client.send(new CreateTableCommand(TABLE))).rejects.toMatchObject({ name: 'ResourceInUseException' });
  expect((await sandbox.client.send(new ListTablesCommand({}))).TableNames).toEqual([TableName]);
  await put(order(1));
  const { Table } = await sandbox.client.send(new DescribeTableCommand({ TableName }));
  expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 1, KeySchema: TABLE.KeySchema });
  await sandbox.client.send(new DeleteTableCommand({ TableName }));
  await expect(put(order(1))).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('items are put, read, replaced and deleted', async () => {
  const item = order(1, { lines: { L: [{ M: { sku: { S: 'a' } } }] }, paid: { BOOL: false }, tags: { SS: ['x', 'y'] } });
  await put(item);
  expect(await get(key(1))).toEqual(item);
  expect(await get(key(2))).toBeUndefined();
  expect(await get(key(1), 'number, lines[0].sku')).toMatchObject({ number: { N: '1' } });
  expect(await put(order(1), { ReturnValues: 'ALL_OLD' })).toMatchObject({ Attributes: item });
  const gone = await sandbox.client.send(new DeleteItemCommand({ TableName, Key: key(1), ReturnValues: 'ALL_OLD' }));
  expect(gone.Attributes).toEqual(order(1));
  expect(await get(key(1))).toBeUndefined();
});

test.each<[string, Item, boolean]>([
  ['attribute_not_exists(shop)', {}, false],
  ['attribute_exists(shop) AND #s = :open', { ':open': { S: 'open' } }, true],
  ['#s <> :open', { ':open': { S: 'open' } }, false],
  ['total >= :a', { ':a': { N: '9' } }, true],
  ['total > :a', { ':a': { N: '10.0' } }, false],
  ['total BETWEEN :a AND :b AND #s = :open', { ':a': { N: '9' }, ':b': { N: '11' }, ':open': { S: 'open' } }, true],
  ['#s IN (:x, :open)', { ':x': { S: 'x' }, ':open': { S: 'open' } }, true],
  ['begins_with(#s, :p)', { ':p': { S: 'op' } }, true],
  ['contains(tags, :p)', { ':p': { S: 'new' } }, true],
  ['contains(tags, :p) OR size(tags) > :n', { ':p': { S: 'old' }, ':n': { N: '1' } }, true],
  ['NOT (contains(tags, :p) OR (total < :n AND NOT attribute_exists(gone)))', { ':p': { S: 'old' }, ':n': { N: '11' } }, false],
  ['((total = :n) AND (#s = :open OR (#s = :p)))', { ':p': { S: 'old' }, ':n': { N: '10' }, ':open': { S: 'open' } }, true],
  ['lines[0].sku = :p', { ':p': { S: 'a' } }, true],
  ['attribute_type(total, :p)', { ':p': { S: 'N' } }, true],
])('a condition: %s', async (ConditionExpression, ExpressionAttributeValues, holds) => {
  await put(order(1, { total: { N: '10' }, tags: { SS: ['new', 'big'] }, lines: { L: [{ M: { sku: { S: 'a' } } }] } }));
  const names = ConditionExpression.includes('#s') ? { ExpressionAttributeNames: { '#s': 'state' } } : {};
  const values = Object.keys(ExpressionAttributeValues).length > 0 ? { ExpressionAttributeValues } : {};
  const again = put(order(1), { ConditionExpression, ...names, ...values });
  if (holds) await again;
  else await expect(again).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
});

test('a failed condition shows the item if the call asks for it', async () => {
  await put(order(1));
  const again = put(order(1), {
    ConditionExpression: 'attribute_not_exists(shop)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await expect(again).rejects.toMatchObject({ Item: order(1), $metadata: { httpStatusCode: 400 } });
});

test.each<[string, Item, Item]>([
  ['SET total = :n, note = :t', { ':n': { N: '5' }, ':t': { S: 'x' } }, { total: { N: '5' }, note: { S: 'x' } }],
  ['SET visits = visits + :n', { ':n': { N: '2' } }, { visits: { N: '5' } }],
  ['SET visits = if_not_exists(seen, :zero) + :n', { ':n': { N: '2' }, ':zero': { N: '0' } }, { visits: { N: '2' } }],
  ['SET log = list_append(if_not_exists(log, :none), :more)', { ':none': { L: [] }, ':more': { L: [{ S: 'a' }] } }, {}],
  ['SET log = list_append(log, :more)', { ':more': { L: [{ S: 'b' }] } }, { log: { L: [{ S: 'a' }, { S: 'b' }] } }],
  ['SET address.city = :c, log[0] = :c', { ':c': { S: 'Bern' } }, { address: { M: { city: { S: 'Bern' }, zip: { N: '1' } } }, log: { L: [{ S: 'Bern' }] } }],
  ['REMOVE address.zip ADD visits :n', { ':n': { N: '1' } }, { address: { M: { city: { S: '-' } } }, visits: { N: '4' } }],
  ['ADD tags :t', { ':t': { SS: ['a', 'b'] } }, { tags: { SS: ['a', 'b'] } }],
  ['SET #s = :done DELETE tags :t', { ':done': { S: 'done' }, ':t': { SS: ['a'] } }, { state: { S: 'done' } }],
])('an update: %s', async (UpdateExpression, ExpressionAttributeValues, changed) => {
  const before = order(1, {
    visits: { N: '3' },
    log: { L: [{ S: 'a' }] },
    address: { M: { city: { S: '-' }, zip: { N: '1' } } },
    tags: { SS: ['a'] },
  });
  await put(before);
  const names = UpdateExpression.includes('#s') ? { ExpressionAttributeNames: { '#s': 'state' } } : {};
  const nested = UpdateExpression.includes('if_not_exists(log');
  const made = update({ UpdateExpression, ExpressionAttributeValues, ...names });
  if (nested) await expect(made).rejects.toMatchObject({ name: 'ValidationException' });
  else {
    expect(await made).toMatchObject(changed);
    expect(await get(key(1))).toMatchObject(changed);
  }
});

test('queries and scans: order, conditions of the sort key, filters, indexes, pages', async () => {
  for (const number of [10, 9, 1, 2, 100]) await put(order(number, { state: { S: number > 5 ? 'big' : 'small' } }));
  await put({ ...order(7), shop: { S: 'basel' } });
  expect(numbers(await query({}))).toEqual([1, 2, 9, 10, 100]);
  expect(numbers(await query({ ScanIndexForward: false, Limit: 2 }))).toEqual([100, 10]);
  const between = {
    KeyConditionExpression: 'shop = :shop AND #n BETWEEN :a AND :b',
    ExpressionAttributeNames: { '#n': 'number' },
    ExpressionAttributeValues: { ':a': { N: '2' }, ':b': { N: '10' } },
  };
  expect(numbers(await query(between))).toEqual([2, 9, 10]);
  const filtered = await query({
    FilterExpression: '#s = :s',
    ExpressionAttributeNames: { '#s': 'state' },
    ExpressionAttributeValues: { ':s': { S: 'small' } },
    Limit: 3,
  });
  expect(filtered).toMatchObject({ Count: 2, ScannedCount: 3, LastEvaluatedKey: key(9) });
  expect(numbers(await query({ ExclusiveStartKey: filtered.LastEvaluatedKey }))).toEqual([10, 100]);
  const indexed = await sandbox.client.send(
    new QueryCommand({
      TableName,
      IndexName: 'by-state',
      KeyConditionExpression: '#s = :s AND #n > :n',
      ExpressionAttributeNames: { '#s': 'state', '#n': 'number' },
      ExpressionAttributeValues: { ':s': { S: 'big' }, ':n': { N: '9' } },
    }),
  );
  expect(numbers(indexed)).toEqual([10, 100]);
  const scan = await sandbox.client.send(new ScanCommand({ TableName, Select: 'COUNT' }));
  expect(scan).toMatchObject({ Count: 6, ScannedCount: 6 });
  await expect(query({ KeyConditionExpression: 'state = :shop' })).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(query({ IndexName: 'none' })).rejects.toMatchObject({ name: 'ValidationException' });
});

test('batches and transactions write everything or nothing', async () => {
  const requests = [1, 2].map((number) => ({ PutRequest: { Item: order(number) } }));
  await sandbox.client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  const found = await sandbox.client.send(
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [key(1), key(2), key(3)] } } }),
  );
  expect(found.Responses?.[TableName].map(({ number }) => number.N)).toEqual(['1', '2']);
  const transact = (number: number) =>
    sandbox.client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Update: { TableName, Key: key(1), UpdateExpression: 'SET total = :n', ExpressionAttributeValues: { ':n': { N: '1' } } } },
          { Put: { TableName, Item: order(number), ConditionExpression: 'attribute_not_exists(shop)' } },
        ],
      }),
    );
  await expect(transact(2)).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
  });
  expect(await get(key(1))).toEqual(order(1));
  await transact(3);
  expect(await get(key(1))).toMatchObject({ total: { N: '1' } });
});

test.each<[string, () => Promise<unknown>, string]>([
  ['a missing key', () => put({ shop: { S: 'x' } }), 'ValidationException'],
  ['a key that is not the table’s', () => get({ shop: { S: 'x' } }), 'ValidationException'],
  ['a change of the key', () => update({ UpdateExpression: 'SET shop = :x', ExpressionAttributeValues: { ':x': { S: 'x' } } }), 'ValidationException'],
  ['an unknown value', () => put(order(1), { ConditionExpression: 'shop = :x' }), 'ValidationException'],
  ['an unknown name', () => put(order(1), { ConditionExpression: '#x = shop' }), 'ValidationException'],
  ['no expression', () => put(order(1), { ConditionExpression: 'shop shop' }), 'ValidationException'],
  ['too many levels', () => put(order(1), { ConditionExpression: `${'('.repeat(80)}shop = shop${')'.repeat(80)}` }), 'ValidationException'],
])('%s is rejected in the vendor’s words', async (_, call, name) => {
  await expect(call()).rejects.toMatchObject({ name });
});

test('the same calls give the same bytes at other ports, and a fork and a replay go on alike', async () => {
  const play = async (body: object) => {
    const made = await sandbox.admin<{ url: string; key: string }>('POST /worlds', body);
    const client = clientOf(made.body);
    const Name = 'twins';
    await client.send(new CreateTableCommand({ ...TABLE, TableName: Name }));
    await client.send(new PutItemCommand({ TableName: Name, Item: order(1) }));
    const { $metadata: _, ...scan } = await client.send(new ScanCommand({ TableName: Name }));
    const { $metadata: __, ...table } = await client.send(new DescribeTableCommand({ TableName: Name }));
    client.destroy();
    return { scan, table };
  };
  await put(order(1));
  expect(await play({ seed: 'same', t0: '2025-01-01' })).toEqual(await play({ seed: 'same', t0: '2025-01-01' }));
  expect(await play({ from: {} })).toMatchObject({ scan: { Items: [order(1)] } });
  expect(await get(key(1))).toEqual(order(1));
  const { body: bug } = await sandbox.admin<Bug>('GET /export');
  const again = await replayBug(bug, { pack: PACK, onDefect: (error) => expect(error).toBeUndefined() });
  expect(again.unlike).toBeNull();
  await again.sandbox.close();
});
