import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

/** Files of trusted authorities on Debian, Fedora, SUSE, Alpine, BSD and macOS. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Variables that name a file of trusted authorities that replaces the system's. */
const OWN_FILES = ['SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'DENO_CERT', 'GIT_SSL_CAINFO'] as const;

/** Files with the authorities that a program trusts anyway, and the additional one. They contain no private key. */
interface TrustFiles {
  /** Path of the file in PEM format, for OpenSSL, Go, .NET and curl. */
  readonly pem: string;
  /** Path of the key store for Java. */
  readonly jks: string;
  /** Environment variables that make programs trust the PEM file. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** Writes the files into a new folder that only this user can read. They are removed when the process ends, at the latest. */
export function writeTrustFiles(cert: string, env: NodeJS.ProcessEnv): TrustFiles {
  const named = OWN_FILES.filter((name) => env[name] !== undefined && env[name] !== '');
  const own = named.flatMap((name) => textOf(env[name]) ?? []);
  const certificates = [...new Set([cert, ...own, ...(own.length > 0 ? [] : systemCertificates())].flatMap(inPem))];
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-trust-'));
  const [pem, jks] = [join(folder, 'authorities.pem'), join(folder, 'authorities.jks')];
  writeFileSync(pem, `${certificates.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(jks, keyStore(certificates.map(inDer)), { mode: 0o600 });
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return {
    pem,
    jks,
    env: Object.fromEntries(['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'DENO_CERT', ...named].map((name) => [name, pem])),
    remove,
  };
}

/** Reads the authorities that the system trusts, or else Node's. */
function systemCertificates(): readonly string[] {
  for (const file of SYSTEM_FILES) {
    const text = textOf(file);
    if (text !== undefined) return [text];
  }
  return rootCertificates;
}

/** Reads a file; undefined if it can't be read. */
function textOf(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function inPem(text: string): readonly string[] {
  return (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((each) =>
    each.replaceAll('\r', ''),
  );
}

function inDer(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ''), 'base64');
}

/** Constants of Java's key store format: magic number, version, kind of entry, and the salt of its digest. */
const [MAGIC, VERSION, TRUSTED, SALT] = [0xfeedfeed, 2, 2, 'Mighty Aphrodite'];
/** Java's default password for key stores. It needn't be secret, since the content is public. */
const PASSWORD = 'changeit';

/** Encodes certificates as a Java key store (JKS), which every version since 1.2 reads, with or without its password. */
function keyStore(certificates: readonly Buffer[]): Buffer {
  const content = Buffer.concat([
    ints(MAGIC, VERSION, certificates.length),
    ...certificates.flatMap((certificate, at) => [
      ints(TRUSTED),
      utf(`authority-${String(at)}`),
      // Creation time of the entry, a number of 64 bits.
      ints(0, 0),
      utf('X.509'),
      ints(certificate.length),
      certificate,
    ]),
  ]);
  const password = Buffer.from(PASSWORD, 'utf16le').swap16();
  return Buffer.concat([content, createHash('sha1').update(password).update(SALT).update(content).digest()]);
}

/** Encodes 32-bit numbers. */
function ints(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
}

/** Encodes ASCII text with a 16-bit length. */
function utf(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length >> 8, text.length & 0xff]), Buffer.from(text, 'ascii')]);
}
