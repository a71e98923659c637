import { randomBytes } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { placesIn } from '../in-tests/redirect-places.js';
import { createAuthority } from './authority.js';
import { type RunningProxy, startProxy } from './proxy.js';
import { writeTrustFiles } from './trust.js';
import { Upstream } from './upstream.js';

/** Hosts that programs call directly instead of through the proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** The running proxy of a command, and the variables that make programs use it. */
export interface CommandProxy {
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * Starts the proxy that passes a command's calls to vendors' hosts on to their packs, for programs whose connections can't be redirected in their
 * process: those in Go, Java and .NET, and curl.
 * @param hosts hosts with the addresses of their packs, as in SANDBOX_HOSTS
 * @param env variables of the command without the proxy
 * @param warn prints a line
 */
export async function startCommandProxy(
  hosts: string,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Promise<CommandProxy> {
  const authority = await createAuthority();
  const upstream = new Upstream(env);
  for (const each of upstream.unusable)
    warn(`the proxy ${each} is not used: only proxies that speak HTTP are; connections are direct`);
  const trust = writeTrustFiles(authority.cert, env);
  const distrusted = new Set<string>();
  const onDistrust = (host: string): void => {
    if (distrusted.has(host)) return;
    distrusted.add(host);
    warn(
      `a program doesn't trust the sandbox's certificate for ${host}: it doesn't read SSL_CERT_FILE. Let it trust ${trust.pem}, or set its client's address`,
    );
  };
  const places = placesIn(hosts, '');
  const common = { places, authority, upstream, onDistrust };
  const secret = `sandbox:${randomBytes(24).toString('base64url')}`;
  const proxy = await startProxy({ ...common, secret });
  // Starts a separate proxy without a password for Java, whose clients can't send one.
  const java = hasJava(env) ? await startProxy({ ...common, secret: null }) : null;
  const address = `http://${secret}@127.0.0.1:${String(proxy.port)}`;
  return {
    env: {
      SANDBOX_PROXY: `http://127.0.0.1:${String(proxy.port)}`,
      ...Object.fromEntries(bothCases('HTTPS_PROXY', address)),
      ...Object.fromEntries(bothCases('HTTP_PROXY', address)),
      ...Object.fromEntries(bothCases('NO_PROXY', upstream.noProxy(LOOPBACK, places))),
      // The Ruby redirect checks whether connections would be direct without this proxy.
      ...(upstream.isUsed ? { SANDBOX_HAS_UPSTREAM: '1' } : {}),
      ...trust.env,
      ...(java === null ? {} : { JAVA_TOOL_OPTIONS: javaOptions(java, trust.jks, env['JAVA_TOOL_OPTIONS']) }),
    },
    close() {
      proxy.close();
      java?.close();
      trust.remove();
    },
  };
}

/** Returns a variable under both spellings that programs read: upper case and lower case. */
function bothCases(name: string, value: string): readonly (readonly [string, string])[] {
  return [name, name.toLowerCase()].map((each) => [each, value]);
}

function javaOptions({ port }: RunningProxy, jks: string, before: string | undefined): string {
  const own = ['https', 'http'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=127.0.0.1`,
    `-D${scheme}.proxyPort=${String(port)}`,
  ]);
  const store = jks.includes(' ') ? `"${jks}"` : jks;
  return [
    ...(before === undefined || before === '' ? [] : [before]),
    ...own,
    `-Djavax.net.ssl.trustStore=${store}`,
    '-Djavax.net.ssl.trustStoreType=JKS',
  ].join(' ');
}

/** Whether a command can start programs in Java. */
function hasJava(env: NodeJS.ProcessEnv): boolean {
  if (env['JAVA_HOME']) return true;
  const file = process.platform === 'win32' ? 'java.exe' : 'java';
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, file), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
