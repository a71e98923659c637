import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import express from 'express';
import { createHttpServer } from '../../../engine/http/index.js';
import { closed } from '../../../engine/hosting/address.js';
import { certificateOf } from '../../../tools/command/tls.js';

/** Far longer than a test may take: what waits for its end fails. */
const DRAIN_MS = 600_000;

test.each([
  ['HTTP', false],
  ['TLS', true],
])('a server of %s waits for calls, but not for connections on which nothing came', async (_protocol, isSecure) => {
  const app = express();
  const called = new Promise<() => void>((resolve) => {
    app.get('/slow', (_req, res) => resolve(() => res.end('done')));
  });
  const certificate = await certificateOf({ host: '127.0.0.1', tls: isSecure });
  const server = createHttpServer(app, certificate).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = isSecure
      ? connectSecurely({ port, host: '127.0.0.1', ca: certificate?.cert })
      : connect(port, '127.0.0.1');
    await Promise.all([
      once(socket, isSecure ? 'secureConnect' : 'connect'),
      once(server, isSecure ? 'secureConnection' : 'connection'),
    ]);
    return socket;
  };
  // A client that breaks off a long response opens another connection ahead; browsers do so too.
  const [ahead, calling] = [await open(), await open()];
  ahead.resume();
  let text = '';
  calling.setEncoding('utf8').on('data', (part: string) => (text += part));
  calling.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const finish = await called;
  const end = closed(server, DRAIN_MS);
  await once(ahead, 'close');
  finish();
  await end;
  expect(text).toContain('200 OK');
  expect(text).toMatch(/done/);
});
