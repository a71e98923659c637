/** Starts a vendor in a container, with the application's own `testcontainers`. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { ControlClient } from '../../engine/control/client.cjs';

/** Port of the server inside of the container. */
const PORT = 8801;
const NODE = 'node:24-slim';
/** Host names at which a container engine on another machine publishes ports; the server accepts calls for them. */
const HOSTS = ['docker', 'host.docker.internal', 'host.testcontainers.internal'];

/** The options of `startSandboxContainer`. */
export interface SandboxContainerOptions {
  /** The names of packs; `payments` by default. Worlds of the second and later packs are created on request. */
  readonly packs?: readonly string[];
  /** The key of the first world. */
  readonly key?: string;
  /** An image whose command is `sandbox`, such as one from tools/container/Dockerfile. By default Node's image, in which npx installs the package. */
  readonly image?: string;
  /** Additional options of `sandbox serve`, such as `['--t0', '2026-01-01']`. */
  readonly options?: readonly string[];
  /** Port on the host; a free one by default. */
  readonly port?: number;
}

/** The members of `testcontainers` that are used. */
interface Testcontainers {
  readonly GenericContainer: new (image: string) => Unstarted;
  readonly Wait: { forHttp(path: string, port: number): unknown };
}

interface Unstarted {
  withCommand(command: string[]): this;
  withEnvironment(environment: Record<string, string>): this;
  withExposedPorts(...ports: { container: number; host: number }[]): this;
  withWaitStrategy(strategy: unknown): this;
  start(): Promise<StartedSandboxContainer['container']>;
}

/** A vendor that is served in a container. */
export interface StartedSandboxContainer {
  readonly url: string;
  readonly key: string;
  readonly control: ControlClient;
  /** The container object of `testcontainers`. */
  readonly container: {
    getHost(): string;
    getMappedPort(port: number): number;
    stop(): Promise<unknown>;
  };
  stop(): Promise<void>;
}

/**
 * Starts a vendor in a container. It ends with `stop`, or with the process that started it.
 * @throws like `testcontainers`; Error if that isn't installed
 */
export async function startSandboxContainer({
  packs = ['payments'],
  key = 'sk_test_container',
  image,
  options = [],
  port,
}: SandboxContainerOptions = {}): Promise<StartedSandboxContainer> {
  const { GenericContainer, Wait } = await testcontainers();
  const host = port ?? (await freePort());
  const start = image === undefined ? ['npx', '--yes', '@vendor-sandbox/sandbox'] : [];
  const names = HOSTS.flatMap((name) => ['--allow-host', name]);
  const address = ['--host', '0.0.0.0', '--port', String(PORT), '--public-url', `http://localhost:${host}`];
  const container = await new GenericContainer(image ?? NODE)
    .withCommand([...start, 'serve', ...packs, ...address, ...names, '--worlds', 'key', ...options])
    .withEnvironment({ SANDBOX_API_KEY: key })
    .withExposedPorts({ container: PORT, host })
    .withWaitStrategy(Wait.forHttp('/readyz', PORT))
    .start();
  const url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`;
  const stop = async (): Promise<void> => void (await container.stop());
  return { url, key, control: new ControlClient(url, key), container, stop };
}

async function testcontainers(): Promise<Testcontainers> {
  // The package name is in a variable because the dependency is optional: only callers of this function have installed it, with its types.
  const name: string = 'testcontainers';
  try {
    return (await import(name)) as Testcontainers;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const advice = 'startSandboxContainer needs testcontainers: npm install --save-dev testcontainers';
    throw new Error(advice, { cause: error });
  }
}

/** Finds a free port, which must be known before the container starts, since links in pages contain it. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
