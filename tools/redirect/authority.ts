import { createSecureContext, type SecureContext } from 'node:tls';

const DAY_MS = 86_400_000;
/** Longer than a command runs; some clients reject more than 398 days. */
const DAYS = 365;
/** Hosts whose certificates are kept; a program that calls more below `*.vendor.com` has them made again. */
const KEPT_HOSTS = 500;

/** A certificate authority of one run: its key stays in memory, and only a program that is given its certificate trusts it. */
export interface Authority {
  /** The authority's certificate, in PEM. */
  readonly cert: string;
  /** What a server for a host needs for TLS. */
  contextFor(host: string): Promise<SecureContext>;
}

/** Generates an authority. */
export async function createAuthority(): Promise<Authority> {
  const { generate } = await import('selfsigned');
  const common = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // The clocks of containers and virtual machines differ a little.
    notBeforeDate: new Date(Date.now() - DAY_MS),
    notAfterDate: new Date(Date.now() + DAYS * DAY_MS),
  } as const;
  const authority = await generate([{ name: 'commonName', value: 'sandbox of one run' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const issue = async (host: string): Promise<SecureContext> => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'sandbox' }], {
      ...common,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
      ],
    });
    return createSecureContext({ cert, key });
  };
  const issued = new Map<string, Promise<SecureContext>>();
  return {
    cert: authority.cert,
    contextFor(host) {
      const context = issued.get(host) ?? issue(host);
      if (issued.size >= KEPT_HOSTS) issued.clear();
      issued.set(host, context);
      return context;
    },
  };
}
