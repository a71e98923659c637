import { randomBytes, webcrypto } from 'node:crypto';
import type { GeneralName } from '@peculiar/x509';

/** A certificate to issue: names, validity, and signer. */
interface Wanted {
  /** The common name of the subject. */
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
  /** Whether the certificate may sign others. */
  readonly isAuthority: boolean;
  /** Hosts and IP addresses of a server. */
  readonly hosts?: readonly string[];
  /** The signing authority; without one, the certificate is self-signed. */
  readonly by?: Issued;
}

/** A certificate with its private key. */
interface Issued {
  /** The certificate in PEM. */
  readonly cert: string;
  /** The private key in PEM. */
  readonly key: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly name: string;
}

const KEY = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Issues a certificate with key identifiers, which strict clients require (RFC 5280; Python from 3.13 on). */
export async function issueCertificate({ name, from, until, isAuthority, hosts = [], by }: Wanted): Promise<Issued> {
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
  const signer = by?.keys ?? keys;
  const isServer = hosts.length > 0;
  const uses =
    (isServer ? x509.KeyUsageFlags.digitalSignature : 0) | (isAuthority ? x509.KeyUsageFlags.keyCertSign : 0);
  const made = await x509.X509CertificateGenerator.create({
    // Starts with the digit 4, so that the number is positive and has no leading zero.
    serialNumber: `4${randomBytes(16).toString('hex').slice(1)}`,
    subject: `CN=${name}`,
    issuer: `CN=${by?.name ?? name}`,
    notBefore: from,
    notAfter: until,
    signingAlgorithm: KEY,
    publicKey: keys.publicKey,
    signingKey: signer.privateKey,
    extensions: [
      ...(isAuthority ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
      new x509.KeyUsagesExtension(uses, true),
      ...(isServer ? [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])] : []),
      ...(isServer ? [new x509.SubjectAlternativeNameExtension(hosts.map(nameOf))] : []),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
    ],
  });
  return { cert: `${made.toString('pem')}\n`, key: await inPem(keys.privateKey), keys, name };

  function nameOf(host: string): GeneralName {
    return new x509.GeneralName(/^[\d.]+$|:/.test(host) ? 'ip' : 'dns', host);
  }
}

async function inPem(key: webcrypto.CryptoKey): Promise<string> {
  const text = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${text.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}
