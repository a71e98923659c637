import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A proxy between a replica and its database that can go silent like a broken cable: no data arrives, and no connection ends. */
export class SilentProxy {
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(
    private readonly server: Server,
    private readonly to: URL,
  ) {
    server.on('connection', (client) => this.#accept(client));
  }

  /** Starts a proxy on a free port. @param url of the database */
  static async start(url: string): Promise<SilentProxy> {
    const server = createServer();
    const proxy = new SilentProxy(server, new URL(url));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** URL at which the database is reached through this proxy. */
  get url(): string {
    const url = new URL(this.to);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Stays silent for a time, then closes all open connections on both sides. */
  async silence(ms: number): Promise<void> {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  stop(): void {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(client: Socket): void {
    const database = connect(Number(this.to.port), this.to.hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      if (this.#isSilent) socket.pause();
      else socket.pipe(other);
    }
  }
}
