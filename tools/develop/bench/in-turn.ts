/**
 * `npm run bench:in-turn -- FOLDER ...`: compares builds of other checkouts, this build and plain Express in one process, one call each in turn.
 * Other load affects all of them equally, so a difference of 1 % is visible at any load. They share the heap, V8's built-ins and the client, whose
 * time is part of each call, so ratios are closer to 1 than in separate processes.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import bodyParser from 'body-parser';
import { Command } from 'commander';
import express from 'express';
import { installation } from '../../command/installation.js';
import { wholeNumber } from '../../command/options.js';
import { quantile } from './figure.js';

const options = new Command('in-turn')
  .description('Compares builds of checkouts by calls in turn, in one process.')
  .argument('[folders...]', 'checkouts that are built')
  .option('--calls <n>', 'calls of each', wholeNumber, 3000)
  .option('--method <method>', 'of the call; the body goes with POST alone', 'POST')
  .option('--path <path>', 'of the call', '/v1/payment_intents')
  .option('--body <text>', 'of the call', 'amount=2000&currency=usd&confirm=true&payment_method=pm_card_visa')
  .option('--type <type>', 'of the body', 'application/x-www-form-urlencoded')
  .option('--pack <name>', 'that is called; a build may have another copy of it, as one without facts', 'payments')
  .parse();
const { calls, method, path, type, pack, ...given } = options.opts<
  Readonly<Record<'method' | 'path' | 'type' | 'pack' | 'body', string>> & { readonly calls: number }
>();
const body = method === 'POST' ? given.body : '';

const KEY = 'bench_key';
const WARM = 2500;
/** Number of calls per compared block. */
const BLOCK = 100;
/** Compared quantile of a block's call times; slower calls were interrupted, for example by garbage collection. */
const SHARE = 0.3;

/** The functions of a build's library that this benchmark uses. */
interface Library {
  readonly createSandbox: (options: object) => Promise<{ readonly url: string }>;
  readonly PackCache: { readonly ofInstallation: () => unknown };
}

/** A server with a connection that repeats one call. */
class Side {
  readonly micros: number[] = [];
  #socket: Socket | null = null;
  readonly #request = Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\ncontent-type: ${type}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  #missingBytes = 0;
  #done = (): void => undefined;
  #fail = (_error: Error): void => undefined;
  /** Body of the last response. */
  text = '';

  constructor(
    readonly name: string,
    private readonly port: number,
  ) {}

  /** Opens the connection on the first call: starting the other builds takes long, and servers close idle connections. */
  #open(): Socket {
    const socket = connect(this.port, '127.0.0.1').setNoDelay(true);
    return socket.on('data', (chunk) => this.#read(chunk));
  }

  #read(chunk: Buffer): void {
    if (this.#missingBytes === 0) {
      const text = chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n') + 4;
      this.text = text.slice(end);
      if (!text.startsWith('HTTP/1.1 200 ')) this.#fail(new Error(`${this.name}: ${text}`));
      this.#missingBytes = end + Number(/content-length: (\d+)/i.exec(text)?.[1]);
    }
    this.#missingBytes -= chunk.length;
    if (this.#missingBytes <= 0) {
      this.#missingBytes = 0;
      this.#done();
    }
  }

  async call(): Promise<void> {
    const socket = (this.#socket ??= this.#open());
    const begun = process.hrtime.bigint();
    await new Promise<void>((done, fail) => {
      [this.#done, this.#fail] = [done, fail];
      socket.write(this.#request);
    });
    this.micros.push(Number(process.hrtime.bigint() - begun) / 1000);
  }

  /** Returns the time per call of each block. */
  blocks(): number[] {
    const times: number[] = [];
    for (let at = WARM; at + BLOCK <= this.micros.length; at += BLOCK)
      times.push(quantile(this.micros.slice(at, at + BLOCK), SHARE));
    return times;
  }
}

const sides: Side[] = [];
for (const folder of [...options.args.map((each) => resolve(each)), installation()]) {
  const { createSandbox, PackCache } = (await import(
    pathToFileURL(join(folder, 'dist', 'engine', 'index.js')).href
  )) as Library;
  const made = await createSandbox({
    pack: join(folder, 'packs', pack),
    key: KEY,
    cache: PackCache.ofInstallation(),
    t0: '2025-01-01T00:00:00Z',
  });
  sides.push(new Side(folder, Number(new URL(made.url).port)));
}
await sides[0].call();
const value: unknown = JSON.parse(sides[0].text);
const app = express();
app.use(bodyParser.urlencoded({ extended: true }));
app.use(bodyParser.json());
app.all(path.split('?')[0], (_req, res) => {
  res.json(value);
});
const plain = createServer(app).listen(0, '127.0.0.1');
await once(plain, 'listening');
sides.push(new Side('plain Express', (plain.address() as AddressInfo).port));

for (let nth = 0; nth < WARM + calls; nth++)
  for (let at = 0; at < sides.length; at++) await sides[(at + nth) % sides.length].call();
const first = sides[0].blocks();
for (const side of sides) {
  const times = side.blocks();
  const ratios = times.map((each, at) => each / first[at]);
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(3));
  console.log(`${side.name}: ${median} of the first (${low} to ${high}), ${Math.round(quantile(times, 0.5))} us`);
}
process.exit();
