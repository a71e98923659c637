import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** An event of the debugger protocol. */
export interface Told {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const TEXT = 1;
const MASKED = 0x80;

/** A debugger of a Node process. Implements as much of Chrome's protocol over WebSocket (RFC 6455) as tests need. */
export class Debugger {
  #read = Buffer.alloc(0);
  #next = 1;
  readonly #asked = new Map<number, (result: Readonly<Record<string, unknown>>) => void>();
  readonly #told: Told[] = [];
  #waiting: (() => void)[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes) => this.#take(bytes));
  }

  /** Connects to a process. @param url `ws://host:port/id`, as Node prints it */
  static async attach(url: string): Promise<Debugger> {
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    const head = await new Promise<Buffer>((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('error', reject);
    });
    if (!head.toString().startsWith('HTTP/1.1 101')) throw new Error(head.toString());
    return new Debugger(socket);
  }

  /** Calls a method of the debugger protocol, and returns its result. */
  async ask(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = this.#next++;
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve) => this.#asked.set(id, resolve));
    this.#send(JSON.stringify({ id, method, params }));
    return answer;
  }

  /** Waits for the next event of a method that fits; discards earlier events. */
  async told(method: string, fits: (params: Told['params']) => boolean = () => true): Promise<Told['params']> {
    for (;;) {
      const at = this.#told.findIndex((each) => each.method === method && fits(each.params));
      if (at >= 0) return this.#told.splice(0, at + 1)[at].params;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #send(text: string): void {
    const body = Buffer.from(text);
    const mask = randomBytes(4);
    const head = Buffer.alloc(8);
    head[0] = 0x80 | TEXT;
    head[1] = MASKED | 126;
    head.writeUInt16BE(body.length, 2);
    mask.copy(head, 4);
    this.socket.write(Buffer.concat([head, body.map((byte, at) => byte ^ mask[at % 4])]));
  }

  #take(bytes: Buffer): void {
    this.#read = Buffer.concat([this.#read, bytes]);
    for (;;) {
      if (this.#read.length < 2) return;
      const short = this.#read[1] & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (this.#read.length < head) return;
      const length =
        short < 126 ? short : short === 126 ? this.#read.readUInt16BE(2) : Number(this.#read.readBigUInt64BE(2));
      if (this.#read.length < head + length) return;
      const isText = (this.#read[0] & 0x0f) === TEXT;
      const body = this.#read.subarray(head, head + length);
      this.#read = this.#read.subarray(head + length);
      if (isText) this.#hear(JSON.parse(body.toString()) as Told & { id?: number; result?: Told['params'] });
    }
  }

  #hear({ id, result = {}, ...told }: Told & { readonly id?: number; readonly result?: Told['params'] }): void {
    if (id !== undefined) this.#asked.get(id)?.(result);
    else this.#told.push(told);
    for (const go of this.#waiting.splice(0)) go();
  }
}
