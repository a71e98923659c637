import { X509Certificate } from 'node:crypto';
import type { ClientRequestArgs } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, type ConnectionOptions } from 'node:tls';
import type { Send } from '../control/client.cjs';
import { sendCall } from '../control/send.cjs';

/** Timeout for a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 1_000;

/** The fingerprint of the first certificate of a PEM file. */
export function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256.replaceAll(':', '');
}

/** Returns a function that sends calls only to the server with this certificate. */
export function sendTo(cert: string): Send {
  const over = { agent: pinnedAgent(), servername: fingerprintOf(cert) };
  return (url, call) => sendCall(url, call, over);
}

/**
 * An agent for servers that are identified by the fingerprint of their certificate, given as the host name: any issuer and any
 * names in the certificate are accepted.
 */
export function pinnedAgent(options: AgentOptions = { keepAlive: false }): Agent {
  return Object.assign(new Agent({ ...options, maxCachedSessions: 0 }), {
    createConnection(
      { servername, ...to }: ClientRequestArgs & ConnectionOptions,
      done?: (error: Error | null, stream: Duplex) => void,
    ): undefined {
      const socket = connect({ ...to, rejectUnauthorized: false, servername: '' });
      socket.once('error', (error: Error) => done?.(error, socket));
      const late = setTimeout(() => {
        socket.destroy(Object.assign(new Error(`${to.host}:${to.port} does not respond`), { code: 'EHOSTUNREACH' }));
      }, CONNECT_TIMEOUT_MS);
      socket.once('close', () => clearTimeout(late));
      socket.once('secureConnect', () => {
        clearTimeout(late);
        const { fingerprint256 = '' } = socket.getPeerCertificate();
        if (fingerprint256.replaceAll(':', '') === servername) done?.(null, socket);
        else socket.destroy(new Error(`${to.host}:${to.port} has another certificate than it said`));
      });
    },
  });
}
