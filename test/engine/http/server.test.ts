import { once } from 'node:events';
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express, { type Express } from 'express';
import request from 'supertest';
import { createHttpServer } from '../../../engine/http/server.js';

function library(): Express {
  const app = express();
  app.get('/books/:id', (req, res) => {
    res.json({ id: req.params.id, query: req.query, accepts: req.accepts('json'), host: req.hostname });
  });
  app.get('/bytes', (_req, res) => {
    const body = '{"title":"Émile"}';
    res.writeHead(203, [
      'X-Shelf',
      '7',
      'Content-Type',
      'application/json',
      'Content-Length',
      `${Buffer.byteLength(body)}`,
    ]);
    res.end(body);
  });
  app.get('/broken', () => {
    throw new Error('the shelf fell over');
  });
  app.set('env', 'test');
  return app;
}

describe('the HTTP server of an Express app', () => {
  test('makes messages whose prototypes Express leaves alone', async () => {
    const app = library();
    const seen: boolean[] = [];
    const server = createHttpServer(app);
    server.prependListener('request', (req, res) => {
      seen.push(
        Object.is(Object.getPrototypeOf(req), app.request),
        Object.is(Object.getPrototypeOf(res), app.response),
      );
      expect(req).toBeInstanceOf(IncomingMessage);
      expect(res).toBeInstanceOf(ServerResponse);
    });
    await request(server)
      .get('/books/b1?page=2')
      .expect(200, { id: 'b1', query: { page: '2' }, accepts: 'json', host: '127.0.0.1' });
    expect(seen).toEqual([true, true]);
  });

  test.each([
    ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another protocol', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: none\r\n\r\n'],
  ])('a client that asks for %s and resets its connection ends nothing', async (_what, text) => {
    const server = createHttpServer(library()).listen(0, '127.0.0.1');
    const asked: (() => void)[] = [];
    // Whoever takes such a connection does nothing with it.
    server.on('upgrade', () => asked.shift()?.()).on('connect', () => asked.shift()?.());
    await once(server, 'listening');
    const broken: unknown[] = [];
    const onBroken = (error: unknown): void => void broken.push(error);
    process.on('uncaughtException', onBroken);
    for (let times = 0; times < 5; times++) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const left = new Promise<void>((resolve) => server.once('connection', (taken) => taken.once('close', resolve)));
      const taken = new Promise<void>((resolve) => asked.push(resolve));
      socket.on('error', () => undefined).write(text);
      await taken;
      socket.resetAndDestroy();
      await left;
    }
    process.off('uncaughtException', onBroken);
    expect(broken).toEqual([]);
    server.close();
  });

  test('many requests that a client sends at once on a connection are no leak', async () => {
    const warned: string[] = [];
    const onWarning = ({ name }: Error): void => void warned.push(name);
    process.on('warning', onWarning);
    const server = createHttpServer(library()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write(
      'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(49) +
        'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 404/g)).toHaveLength(50);
    process.off('warning', onWarning);
    server.close();
    expect(warned).toEqual([]);
  });

  test.each<[string, (app: Express) => void]>([
    ['as it is', () => undefined],
    ['with an unknown `request`', (app) => Object.defineProperty(app, 'request', { value: undefined, writable: true })],
    [
      'with another `response`',
      (app) => Object.defineProperty(app, 'response', { value: Object.create(app.response), writable: true }),
    ],
  ])('answers what the plain server answers: an app %s', async (_name, change) => {
    const app = library();
    change(app);
    const server = createHttpServer(app);
    expect(server.listenerCount('request')).toBe(1);
    if (typeof app.request !== 'object') return;
    const plain = library();
    for (const path of ['/books/b1?a=1', '/bytes', '/nowhere', '/broken']) {
      const [one, other] = [await request(server).get(path), await request(plain).get(path)];
      expect([one.status, one.text, { ...one.headers, date: '' }]).toEqual([
        other.status,
        other.text,
        { ...other.headers, date: '' },
      ]);
    }
  });

  test('several servers may share an app', async () => {
    const app = library();
    const servers: Server[] = [createHttpServer(app), createHttpServer(app)];
    const before = Object.getPrototypeOf(app.request) as unknown;
    createHttpServer(app);
    expect(Object.getPrototypeOf(app.request)).toBe(before);
    for (const server of servers) await request(server).get('/bytes').expect(203);
  });

  test('a prepared answer goes out as it is, without ETag', async () => {
    const server = createHttpServer(library());
    const text = await request(server).get('/bytes').expect(203);
    expect(text.text).toBe('{"title":"Émile"}');
    expect(text.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '18', 'x-shelf': '7' });
    expect(text.headers).not.toHaveProperty('etag');
    const head = await request(server).head('/bytes').expect(203);
    expect(head.headers['content-length']).toBe('18');
    expect(head.text ?? '').toBe('');
  });

  test('an answer to a caller who hung up does no harm', async () => {
    const app = express();
    let answered: (() => void) | undefined;
    const done = new Promise<void>((resolve) => (answered = resolve));
    app.get('/slow', (req, res) => {
      req.socket.destroy();
      res.once('close', () => {
        res.writeHead(200, []);
        res.end('{}');
        answered?.();
      });
    });
    const server = createHttpServer(app).listen(0);
    await once(server, 'listening');
    await expect(request(server).get('/slow')).rejects.toThrow();
    await done;
    server.close();
  });
});
