import { createSecureContext, type SecureContext } from 'node:tls';

const DAY_MS = 86_400_000;
/** Validity in days: longer than any command runs, and below the 398 days that some clients allow. */
const DAYS = 365;
/** Maximum number of cached host certificates. */
const KEPT_HOSTS = 500;

/** A certificate authority for one run: its key stays in memory, and only programs that get its certificate trust it. */
export interface Authority {
  /** The authority's certificate, in PEM. */
  readonly cert: string;
  /** The TLS context of a server for a host. */
  contextFor(host: string): Promise<SecureContext>;
}

/** Generates an authority. */
export async function createAuthority(): Promise<Authority> {
  const { generate } = await import('selfsigned');
  const common = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // Clocks of containers and virtual machines may be a little behind.
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
