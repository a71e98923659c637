import { createHash, createHmac } from 'node:crypto';
import {
  Checksum,
  CHECKSUMS,
  ecKey,
  escapedHtml,
  formText,
  formValues,
  isChecksum,
  jmespath,
  jmespathProblem,
  jwt,
  jwtProblems,
  oneTimeCode,
  privatePem,
  publicKey,
  readJwt,
  rsaKey,
  thumbprint,
  xmlText,
  xmlValue,
} from '../codecs/index.js';
import { type FunctionSpec, MAP, ofTexts, onHost, PROBLEM, pure } from './function-kit.js';
import { map, number, text, written } from './support.js';
import {
  base64Later,
  bufferOf,
  byteCount,
  bytesOfText,
  type BytesPiece,
  chunksOf,
  digestOfBytes,
  ExpressionFailure,
  isBytesText,
  isObject,
  type Json,
  piecesOfSlices,
  slicesOf,
  spendText,
  spendTurns,
  textOfBytes,
} from '../values/index.js';
import { ANY, BOOLEAN, listType, mapType, NUMBER, STRING } from './types.js';

/** Factor by which Node's native functions process bytes faster than a loop, for the budget. */
const NATIVE = 16;

/** Functions for vendors' signed and encoded messages, by name: digests, signatures, encodings. */
export const MESSAGES: Record<string, FunctionSpec> = ofTexts({
  jmespath: pure([STRING, ANY], ANY, (path, value) => jmespath(text(path), value)),
  jmespath_problems: pure([STRING, STRING], listType(PROBLEM), (path, at) => {
    const problem = jmespathProblem(text(path));
    return problem === undefined ? [] : [{ param: text(at), message: `This is no JMESPath expression: ${problem}.` }];
  }),
  sha256: pure([STRING], STRING, (s) => createHash('sha256').update(text(s)).digest('base64')),
  hmac_sha256: pure([STRING, STRING], STRING, (s, key) =>
    createHmac('sha256', text(key)).update(text(s)).digest('base64'),
  ),
  base64: pure([ANY], STRING, (s) => {
    const made = bufferOf(bytes(s)).toString('base64');
    spendText(made.length / NATIVE);
    return made;
  }),
  is_bytes: pure([STRING], BOOLEAN, (s) => isBytesText(text(s))),
  base64_later: pure([ANY], STRING, (s) => base64Later(bytes(s))),
  bytes: pure([ANY], STRING, (s) => {
    const pieces = bytes(s);
    spendText(byteCount(pieces) / NATIVE);
    return textOfBytes(pieces);
  }),
  byte_range: pure([ANY, NUMBER, NUMBER], STRING, (s, start, length) => {
    const slices = slicesOf(bytes(s), number(start), number(start) + number(length));
    return textOfBytes(piecesOfSlices(slices));
  }),
  byte_size: pure([ANY], NUMBER, (s) => byteCount(bytes(s))),
  base64url: pure([STRING], STRING, (s) => written(Buffer.from(text(s)).toString('base64url'))),
  url_encode: pure(
    [STRING, STRING],
    STRING,
    (s, kept) => {
      const encoded = encodeURIComponent(wellFormed(text(s)));
      return written(kept === undefined ? encoded : strictlyEncoded(encoded, text(kept)));
    },
    1,
  ),
  url_decode: pure([STRING], STRING, (s) => urlDecoded(text(s))),
  digest: pure([ANY, STRING, STRING], STRING, (s, algorithm, encoding) => digest(bytes(s), algorithm, encoding)),
  hmac: pure([ANY, ANY, STRING, STRING], STRING, (s, key, algorithm, encoding) => {
    const made = createHmac(secretHashName(algorithm), bufferOf(bytes(key)));
    for (const chunk of chunksOf(bytes(s))) made.update(chunk);
    return made.digest(encodingOf(encoding));
  }),
  hotp: pure(
    [STRING, NUMBER, NUMBER],
    STRING,
    (secret, counter, digits) => {
      const length = digits === undefined ? 6 : number(digits);
      if (!DIGITS.includes(length)) throw new ExpressionFailure(`a one-time code has 6 to 8 digits, not ${length}`);
      return secret === null ? null : oneTimeCode(text(secret), number(counter), length);
    },
    1,
  ),
  escape_html: pure([STRING], STRING, (s) => (s === null ? null : written(escapedHtml(text(s))))),
  jwt: pure(
    [MAP, ANY, MAP],
    STRING,
    (claims, key, header) => written(jwt(map(claims), key, header === undefined ? {} : map(header))),
    1,
  ),
  ec_key: onHost([STRING], mapType(STRING), (host, name) => ecKey(host.hash(`ec key ${text(name)}`, 64))),
  rsa_key: onHost([STRING], mapType(STRING), (host, name) => {
    spendTurns(RSA_TURNS);
    const key = rsaKey(host.hash(`rsa key ${text(name)}`, 64));
    return { ...key, kid: thumbprint(key) };
  }),
  public_key: pure([ANY, STRING], ANY, (key, form) => publicKey(key, text(form))),
  private_pem: pure([ANY], STRING, (key) => privatePem(key)),
  jwt_claims: pure([STRING], MAP, (token) => (token === null ? null : (readJwt(text(token))?.claims ?? null))),
  jwt_header: pure([STRING], MAP, (token) => (token === null ? null : (readJwt(text(token))?.header ?? null))),
  jwt_problems: onHost(
    [STRING, ANY, MAP],
    listType(PROBLEM),
    (host, token, keys, rules) => {
      spendTurns(VERIFYING_TURNS);
      const given = rules === undefined || rules === null ? {} : map(rules);
      return jwtProblems(token === null ? '' : text(token), keys, given, host.nowMs);
    },
    1,
  ),
  form: pure([MAP], STRING, (m) => written(formText(map(m)))),
  from_form: pure([STRING], MAP, (s) => (s === null ? null : formValues(text(s)))),
  xml: pure([MAP], STRING, (m) => written(xmlText(map(m)))),
  from_xml: pure([STRING], MAP, (s) => (s === null ? null : xmlValue(text(s)))),
  from_base64: pure([STRING], STRING, (s) => (s === null ? null : bufferOf(bytesOfText(text(s))).toString())),
});

/** Work units that making an RSA key costs, and those of verifying a signature. */
const RSA_TURNS = 1000;
const VERIFYING_TURNS = 200;

const DIGITS = [6, 7, 8];
const HASHES = ['md5', 'sha1', 'sha256', 'sha384', 'sha512', ...CHECKSUMS];
const ENCODINGS = ['hex', 'base64', 'base64url'] as const;

function hashName(value: Json): string {
  const name = text(value);
  if (HASHES.includes(name)) return name;
  throw new ExpressionFailure(`a digest is one of ${HASHES.join(', ')}, not '${name}'`);
}

/** Returns the name of a hash function for signatures. @throws ExpressionFailure for checksums and unknown names */
function secretHashName(value: Json): string {
  const name = hashName(value);
  if (isChecksum(name)) throw new ExpressionFailure(`${name} is a checksum: a signature needs a digest`);
  return name;
}

function encodingOf(value: Json): (typeof ENCODINGS)[number] {
  const name = text(value);
  const known = ENCODINGS.find((each) => each === name);
  if (known !== undefined) return known;
  throw new ExpressionFailure(`a digest is written in ${ENCODINGS.join(', ')}, not '${name}'`);
}

/** The bytes of a text, of `{base64}` (including those in a store) or `{hex}`, or of a list of these. */
function bytes(value: Json): readonly BytesPiece[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => bytes(each));
  if (!isObject(value)) return [Buffer.from(text(value))];
  const { base64, hex } = value;
  if (typeof base64 === 'string') return bytesOfText(base64);
  if (typeof hex === 'string') return [Buffer.from(hex, 'hex')];
  throw new ExpressionFailure("bytes are a text, {'base64': text}, {'hex': text} or a list of these");
}

function digest(pieces: readonly BytesPiece[], algorithm: Json, encoding: Json): string {
  const [name, written] = [hashName(algorithm), encodingOf(encoding)];
  return digestOfBytes(`${name} ${written}`, pieces, () => {
    spendText(byteCount(pieces) / NATIVE);
    const hash: { update(chunk: Buffer): unknown; digest(encoding: typeof written): string } = isChecksum(name)
      ? new Checksum(name)
      : createHash(name);
    for (const chunk of chunksOf(pieces)) hash.update(chunk);
    return hash.digest(written);
  });
}

/** Replaces lone surrogates in a text, which URLs can't contain. */
function wellFormed(value: string): string {
  return Buffer.from(value).toString();
}

/**
 * Encodes everything but letters, digits, `-._~` and the kept characters (RFC 3986, 2.3).
 * @param encoded output of `encodeURIComponent`
 */
function strictlyEncoded(encoded: string, kept: string): string {
  const strict = encoded.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return [...kept].reduce((made, each) => made.replaceAll(percentOf(each), each), strict);
}

function percentOf(character: string): string {
  return [...Buffer.from(character)].map((each) => `%${each.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Decodes percent-encoding; null if it is invalid. */
function urlDecoded(value: string): Json {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
