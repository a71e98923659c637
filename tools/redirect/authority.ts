import { createSecureContext, type SecureContext } from 'node:tls';
import { issueCertificate } from '../command/certificates.js';

const DAY_MS = 86_400_000;
/** Validity in days: longer than any command runs, and below the 398 days that some clients allow. */
const DAYS = 365;
/** Maximum number of cached host certificates. */
const KEPT_HOSTS = 500;

/** A certificate authority for one run. Its key stays in memory, and only programs that receive its certificate trust it. */
export interface Authority {
  /** The authority's certificate, in PEM. */
  readonly cert: string;
  /** Returns the TLS context of a server for a host. */
  contextFor(host: string): Promise<SecureContext>;
}

/** Generates a certificate authority with a new key. */
export async function createAuthority(): Promise<Authority> {
  // Valid since yesterday, because the clocks of containers and virtual machines differ a little.
  const valid = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAYS * DAY_MS) };
  const authority = await issueCertificate({ ...valid, name: 'sandbox of one run', isAuthority: true });
  const issue = async (host: string): Promise<SecureContext> =>
    createSecureContext(
      await issueCertificate({ ...valid, name: 'sandbox', isAuthority: false, hosts: [host], by: authority }),
    );
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
