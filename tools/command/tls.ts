import { mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate } from './certificates.js';
import { readInputFile } from './input-file.js';
import { Exit, Failure } from './output.js';

/** The TLS options of a server. */
interface TlsOptions {
  readonly host: string;
  readonly tls?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The file of a generated certificate, which clients have to trust; null if there is none. */
  readonly file: string | null;
}

/** Reads or generates the certificate that a server's options request; undefined without TLS. @throws Failure if the options or files are invalid */
export async function certificateOf({ host, tls, tlsCert, tlsKey }: TlsOptions): Promise<Certificate | undefined> {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw wrong(
      '--tls-cert and --tls-key come together',
      'Give both, or --tls for a certificate that is made on the spot.',
    );
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const found = {
      cert: readInputFile(tlsCert, 'tls_invalid'),
      key: readInputFile(tlsKey, 'tls_invalid'),
      file: null,
    };
    const { createSecureContext } = await import('node:tls');
    try {
      createSecureContext(found);
    } catch (error) {
      throw wrong(`${tlsCert} and ${tlsKey} are no certificate and its key: ${String(error)}`, 'Both are PEM files.');
    }
    return found;
  }
  return tls ? made(host) : undefined;
}

/** Generates a certificate for this machine, valid for a week. */
async function made(host: string): Promise<Certificate> {
  const hosts = new Set(['localhost', hostname(), '127.0.0.1', '::1', host]);
  hosts.delete('0.0.0.0');
  const [from, until] = [new Date(), new Date(Date.now() + 7 * 86_400_000)];
  const wanted = { name: 'sandbox', from, until, isAuthority: true, hosts: [...hosts] };
  const { cert, key } = await issueCertificate(wanted);
  const file = join(mkdtempSync(join(tmpdir(), 'sandbox-tls-')), 'cert.pem');
  writeFileSync(file, cert);
  return { cert, key, file };
}

function wrong(message: string, advice: string): Failure {
  return new Failure(Exit.cannotRun, 'tls_invalid', message, advice);
}
