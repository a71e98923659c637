import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { portrait } from '../support/world.js';
import { startSandbox, TestSandbox } from '../support/start-sandbox.js';

/** A store of objects in YAML, under the official client of a well-known one: only the endpoint and the credentials are given. */

const clients: S3Client[] = [];

function clientOf({ url, key }: Pick<TestSandbox, 'url' | 'key'>, secretAccessKey = key): S3Client {
  const credentials = { accessKeyId: key, secretAccessKey };
  const client = new S3Client({ endpoint: url, region: 'eu-west-1', credentials });
  clients.push(client);
  return client;
}

const open = { seed: 'depot', t0: '2025-01-01T00:00:00Z', client: clientOf };
const depot = startSandbox<S3Client>('test/packs/depot', open);
const Bucket = 'photos';

afterAll(() => {
  for (const each of clients) each.destroy();
});
beforeAll(async () => void (await depot.client.send(new CreateBucketCommand({ Bucket }))));

const large = randomBytes(5_250_000);
const read = async (Key: string, more: object = {}): Promise<Buffer> => {
  const { Body } = await depot.client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
};
const put = (Key: string, Body: string | Buffer, more: object = {}) =>
  depot.client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

test('buckets are made, found, listed and removed', async () => {
  const { client } = depot;
  await client.send(new CreateBucketCommand({ Bucket: 'other' }));
  await expect(client.send(new CreateBucketCommand({ Bucket: 'other' }))).rejects.toMatchObject({
    name: 'BucketAlreadyOwnedByYou',
  });
  await client.send(new HeadBucketCommand({ Bucket: 'other' }));
  const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
  expect(Buckets.map(({ Name }) => Name)).toEqual(['photos', 'other']);
  await client.send(new PutObjectCommand({ Bucket: 'other', Key: 'a', Body: 'a' }));
  await expect(client.send(new DeleteBucketCommand({ Bucket: 'other' }))).rejects.toMatchObject({
    name: 'BucketNotEmpty',
  });
  await client.send(new DeleteObjectCommand({ Bucket: 'other', Key: 'a' }));
  await client.send(new DeleteBucketCommand({ Bucket: 'other' }));
  await expect(client.send(new HeadBucketCommand({ Bucket: 'other' }))).rejects.toMatchObject({ name: 'NotFound' });
});

test.each([
  ['empty', Buffer.alloc(0)],
  ['small', Buffer.from('small & <plain>')],
  ['large', large],
])('an %s object comes back as it was, with its checksum and metadata', async (Key, bytes) => {
  const made = await put(Key, bytes, { ContentType: 'image/x', Metadata: { owner: 'ada' } });
  expect(made).toMatchObject({ ETag: `"${md5(bytes)}"`, ChecksumCRC32: expect.any(String) });
  expect((await read(Key)).equals(bytes)).toBe(true);
  const head = await depot.client.send(new HeadObjectCommand({ Bucket, Key }));
  expect(head).toMatchObject({
    ContentLength: bytes.length,
    ContentType: 'image/x',
    ETag: `"${md5(bytes)}"`,
    LastModified: new Date('2025-01-01T00:00:00Z'),
    Metadata: { owner: 'ada' },
    AcceptRanges: 'bytes',
  });
});

test('a stream is sent in chunks with its checksum behind it', async () => {
  const body = { Body: Readable.from([large.subarray(0, 100_000), large.subarray(100_000, 200_000)]) };
  await depot.client.send(new PutObjectCommand({ Bucket, Key: 'stream', ContentLength: 200_000, ...body }));
  expect((await read('stream')).equals(large.subarray(0, 200_000))).toBe(true);
});

test('ranges, conditions and checksums hold', async () => {
  await put('ranged', large);
  expect((await read('ranged', { Range: 'bytes=10-19' })).equals(large.subarray(10, 20))).toBe(true);
  expect((await read('ranged', { Range: 'bytes=-7' })).equals(large.subarray(-7))).toBe(true);
  await expect(read('ranged', { Range: 'bytes=9000000-' })).rejects.toMatchObject({ name: 'InvalidRange' });
  await expect(read('ranged', { IfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  const same = read('ranged', { IfNoneMatch: `"${md5(large)}"` });
  await expect(same).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } });
  await expect(put('ranged', 'new', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  await put('ranged', 'new', { IfMatch: `"${md5(large)}"` });
  await expect(put('ranged', 'newer', { IfMatch: `"${md5(large)}"` })).rejects.toMatchObject({
    name: 'PreconditionFailed',
  });
  for (const [algorithm, sum] of [['ChecksumCRC32C', 'AAAAAA=='], ['ContentMD5', 'AAAAAAAAAAAAAAAAAAAAAA==']] as const)
    await expect(put('sum', 'text', { [algorithm]: sum })).rejects.toMatchObject({ name: 'BadDigest' });
  for (const ChecksumAlgorithm of ['CRC32C', 'SHA1', 'SHA256']) await put('sum', large, { ChecksumAlgorithm });
});

test('uploads in parts, some of them copied, are one object', async () => {
  const { client } = depot;
  await put('source', large);
  const Key = 'whole/größe 1';
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'image/x', Metadata: { kind: 'parts' } }),
  );
  const of = { Bucket, Key, UploadId };
  const ranged = { CopySource: `${Bucket}/source`, CopySourceRange: 'bytes=100-5249999' };
  const first = await client.send(new UploadPartCommand({ ...of, PartNumber: 1, Body: large }));
  const copied = await client.send(new UploadPartCopyCommand({ ...of, PartNumber: 2, ...ranged }));
  const last = await client.send(new UploadPartCommand({ ...of, PartNumber: 3, Body: 'the end' }));
  const { Parts = [] } = await client.send(new ListPartsCommand(of));
  expect(Parts.map(({ Size }) => Size)).toEqual([5_250_000, 5_249_900, 7]);
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  expect(Uploads.map((each) => each.Key)).toEqual([Key]);
  const parts = [first.ETag, copied.CopyPartResult?.ETag, last.ETag].map((ETag, at) => ({ ETag, PartNumber: at + 1 }));
  const complete = (Parts: typeof parts) =>
    client.send(new CompleteMultipartUploadCommand({ ...of, MultipartUpload: { Parts } }));
  await expect(complete([{ ...parts[0], ETag: '"other"' }])).rejects.toMatchObject({ name: 'InvalidPart' });
  await expect(complete([parts[0], parts[2], parts[1]].slice(1))).rejects.toMatchObject({ name: 'EntityTooSmall' });
  const before = depot.engine.runtime.surroundings.files?.total;
  expect((await complete(parts)).ETag).toMatch(/^"[0-9a-f]{32}-3"$/);
  expect(depot.engine.runtime.surroundings.files?.total).toBe(before);
  const whole = Buffer.concat([large, large.subarray(100), Buffer.from('the end')]);
  expect((await read(Key)).equals(whole)).toBe(true);
  expect((await read(Key, { Range: 'bytes=5249990-5250009' })).equals(whole.subarray(5_249_990, 5_250_010))).toBe(true);
  const again = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: again.UploadId }));
  await expect(client.send(new ListPartsCommand({ ...of, UploadId: again.UploadId }))).rejects.toMatchObject({
    name: 'NoSuchUpload',
  });
});

test('a listing has folders, pages and starts', async () => {
  const { client } = depot;
  const keys = ['l/a.txt', 'l/b/1', 'l/b/2', 'l/c & d/1', 'l/e.txt', 'l/z/1'];
  for (const key of keys) await put(key, key);
  const list = async (more: object): Promise<object> => {
    const found = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'l/', ...more }));
    return {
      keys: found.Contents?.map(({ Key }) => Key) ?? [],
      folders: found.CommonPrefixes?.map(({ Prefix }) => Prefix) ?? [],
      more: found.IsTruncated,
    };
  };
  expect(await list({})).toEqual({ keys, folders: [], more: false });
  const folders = ['l/b/', 'l/c & d/', 'l/z/'];
  expect(await list({ Delimiter: '/' })).toEqual({ keys: ['l/a.txt', 'l/e.txt'], folders, more: false });
  expect(await list({ StartAfter: 'l/e' })).toEqual({ keys: ['l/e.txt', 'l/z/1'], folders: [], more: false });
  const pages: unknown[] = [];
  const paged = paginateListObjectsV2({ client, pageSize: 2 }, { Bucket, Prefix: 'l/', Delimiter: '/' });
  for await (const { Contents = [], CommonPrefixes = [] } of paged)
    pages.push([...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix)]);
  expect(pages).toEqual([['l/a.txt', 'l/b/'], ['l/e.txt', 'l/c & d/'], ['l/z/']]);
  const Objects = keys.map((Key) => ({ Key }));
  const { Deleted = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toHaveLength(keys.length);
  expect(await list({})).toEqual({ keys: [], folders: [], more: false });
});

test('copies share their bytes', async () => {
  const { client } = depot;
  await put('original', large, { Metadata: { a: '1' } });
  const before = depot.engine.runtime.surroundings.files?.total;
  await client.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `/${Bucket}/original` }));
  expect((await read('copy')).equals(large)).toBe(true);
  expect(depot.engine.runtime.surroundings.files?.total).toBe(before);
  const other = new CopyObjectCommand({ Bucket, Key: 'x', CopySource: `${Bucket}/nothing` });
  await expect(client.send(other)).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('signed links open for a while, and wrong signatures do not', async () => {
  await put('linked', 'for a while');
  const command = new GetObjectCommand({ Bucket, Key: 'linked', ResponseContentType: 'text/plain' });
  const link = await getSignedUrl(depot.client, command, { expiresIn: 60 });
  const opened = await fetch(link);
  expect([opened.status, opened.headers.get('content-type'), await opened.text()]).toEqual([200, 'text/plain', 'for a while']);
  const forged = await fetch(link.replace('linked', 'original'));
  expect([forged.status, await forged.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')]);
  const past = await getSignedUrl(depot.client, command, { expiresIn: 60, signingDate: new Date(Date.now() - 3_600_000) });
  expect((await fetch(past)).status).toBe(403);
  const thief = clientOf(depot, 'no');
  await expect(thief.send(new ListBucketsCommand({}))).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
});

test('the same calls come to the same world at other ports, and in forks', async () => {
  const calls = async ({ url, key }: { readonly url: string | null; readonly key: string }): Promise<void> => {
    const client = clientOf({ url: String(url), key });
    const of = { Bucket: 'same', Key: 'k' };
    await client.send(new CreateBucketCommand({ Bucket: 'same' }));
    await client.send(new PutObjectCommand({ ...of, Body: large.subarray(0, 80_000) }));
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(of));
    const { ETag } = await client.send(new UploadPartCommand({ ...of, UploadId, PartNumber: 1, Body: 'part' }));
    const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
    await client.send(new CompleteMultipartUploadCommand({ ...of, UploadId, MultipartUpload }));
  };
  const worlds: TestSandbox[] = [];
  for (let n = 0; n < 2; n++) {
    const { client: _, ...options } = open;
    const other = { key: 'DEPOTsame', ...options };
    worlds.push(await new TestSandbox('test/packs/depot', other).open());
  }
  try {
    const fork = await worlds[0].worlds.create({ from: { same_ids: true } });
    await calls(worlds[0]);
    await calls(worlds[1]);
    await calls(fork);
    const found = await worlds[0].worlds.find(fork.id);
    const [first, second, third] = [worlds[0].engine, worlds[1].engine, found?.engine].map((engine) => {
      const objects = engine?.world.collections.map((each) => each.ordered().all().map((row) => row.value));
      return JSON.stringify(objects);
    });
    expect(second).toBe(first);
    expect(third).toBe(first);
    expect(portrait(worlds[1].engine.world)).toEqual(portrait(worlds[0].engine.world));
  } finally {
    for (const each of worlds) await each.close();
  }
});
