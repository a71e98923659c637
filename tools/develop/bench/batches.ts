import { connect } from 'node:net';
import type { Work } from './load.js';
import type { MeasuredServer } from './servers.js';

/** Number of requests sent on a connection before their responses have arrived. */
const AHEAD = 8;
const HEAD = Buffer.from('HTTP/1.1 ');
const OK = Buffer.from('HTTP/1.1 200 ');

/**
 * Repeats one request with so little client work that a few hundred calls take about as long as the server needs for them. Each batch opens its own
 * connection, since the server may close an idle one.
 */
export class Batches {
  readonly #request: Buffer;

  constructor(
    private readonly server: MeasuredServer,
    work: Work,
  ) {
    const { host } = new URL(server.url);
    const body = work.body ?? '';
    const lines = [`${work.method} ${work.path} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${server.key}`];
    if (work.body !== undefined)
      lines.push(
        `content-type: ${work.contentType ?? 'application/x-www-form-urlencoded'}`,
        `content-length: ${Buffer.byteLength(body)}`,
      );
    this.#request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }

  /** Measures the processor time of the server per call, in microseconds. @throws Error if a response isn't 200 */
  async cpuOf(calls: number): Promise<number> {
    const before = await this.server.cpu();
    await this.send(calls);
    return ((await this.server.cpu()) - before) / calls;
  }

  async send(calls: number): Promise<void> {
    const { hostname, port } = new URL(this.server.url);
    const socket = connect(Number(port), hostname).setNoDelay(true);
    let [sent, served] = [0, 0];
    /** Received bytes that aren't parsed yet: possibly the start of a response head. */
    let rest = Buffer.alloc(0);
    const write = (): void => {
      const count = Math.min(calls - sent, AHEAD - (sent - served));
      if (count <= 0) return;
      sent += count;
      socket.write(Buffer.concat(Array.from({ length: count }, () => this.#request)));
    };
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        const text = Buffer.concat([rest, chunk]);
        let from = 0;
        for (let at = text.indexOf(HEAD); at >= 0; at = text.indexOf(HEAD, from)) {
          if (at + OK.length > text.length) {
            from = at;
            break;
          }
          if (text.compare(OK, 0, OK.length, at, at + OK.length) !== 0) {
            done(new Error(`a call is answered ${text.toString('latin1', at, at + 500)}`));
            return;
          }
          served++;
          from = at + OK.length;
        }
        rest = text.subarray(Math.max(from, text.length - OK.length + 1));
        if (served === calls) done();
        else write();
      };
      const lost = (): void => done(new Error('the server ended the connection'));
      const done = (error?: Error): void => {
        socket.off('data', read).off('close', lost).off('error', done).destroy();
        if (error === undefined) resolve();
        else reject(error);
      };
      socket.on('data', read).on('close', lost).on('error', done);
      write();
    });
  }
}
