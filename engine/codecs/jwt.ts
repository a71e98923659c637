import { createHmac, sign, timingSafeEqual, verify } from 'node:crypto';
import { signEs256 } from './ec.js';
import { jsonOrNull } from './json.js';
import { isPem, privateKeyOf, publicKeyOf } from './keys.js';
import { ExpressionFailure, type Json, type JsonObject, isObject } from '../values/index.js';

/**
 * Makes a JSON Web Token (RFC 7519).
 * @param key a secret (HS256), or a private key in PEM or as a JWK: P-256 (ES256) or RSA (RS256)
 * @param header merged over `{alg, typ}` and the key's own `kid`
 */
export function jwt(claims: JsonObject, key: Json, header: JsonObject): string {
  const { alg, signed } = signerOf(key);
  const { kid } = isObject(key) ? key : {};
  const part = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const named: JsonObject = typeof kid === 'string' ? { kid } : {};
  const content = `${part({ alg, typ: 'JWT', ...named, ...header })}.${part(claims)}`;
  return `${content}.${signed(content).toString('base64url')}`;
}

function signerOf(key: Json): { readonly alg: string; readonly signed: (content: string) => Buffer } {
  if (typeof key === 'string' && !isPem(key))
    return { alg: 'HS256', signed: (content) => createHmac('sha256', key).update(content).digest() };
  const made = privateKeyOf(key);
  switch (made?.asymmetricKeyType) {
    case 'rsa':
      return { alg: 'RS256', signed: (content) => sign('sha256', Buffer.from(content), made) };
    case 'ec': {
      const { crv, d = '' } = made.export({ format: 'jwk' });
      if (crv === 'P-256')
        return { alg: 'ES256', signed: (content) => signEs256(Buffer.from(d, 'base64url'), content) };
    }
  }
  throw new ExpressionFailure('a token is signed with a secret, an RSA key or one on P-256 (PEM or JWK)');
}

/** The parts of a token, not verified. */
interface Token {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** The text that the signature covers. */
  readonly content: string;
  readonly signature: Buffer;
}

/** Parses a token; null: invalid. */
export function readJwt(token: string): Token | null {
  const [head, body, signature, ...rest] = token.split('.');
  if (signature === undefined || rest.length > 0) return null;
  const [header, claims] = [partOf(head), partOf(body)];
  if (header === null || claims === null || !/^[\w-]*$/.test(signature)) return null;
  return { header, claims, content: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function partOf(text: string): JsonObject | null {
  if (!/^[\w-]+$/.test(text)) return null;
  const value = jsonOrNull(Buffer.from(text, 'base64url').toString());
  return isObject(value) ? value : null;
}

/** The affected claim, or `alg`, `signature` or `token`, and the problem. */
interface TokenProblem {
  readonly [member: string]: string;
  readonly param: string;
  readonly message: string;
}

/**
 * The problems of a caller's token; the signature is checked first, and the rest only if it is valid.
 * @param keys possible signing keys, one or a list or `{keys}`: secrets, or keys in PEM or as JWKs
 * @param rules `iss` and `aud` (one of several), `algorithms`, `leeway` in seconds, `typ` of the header, `required` claims
 * @param nowMs the time for `exp` and `nbf`
 */
export function jwtProblems(token: string, keys: Json, rules: JsonObject, nowMs: number): TokenProblem[] {
  const read = readJwt(token);
  if (read === null) return [{ param: 'token', message: 'is not a JSON Web Token' }];
  const { header, claims } = read;
  const allowed = textsOf(rules['algorithms'] ?? null);
  const { alg } = header;
  if (typeof alg !== 'string' || !Object.hasOwn(VERIFIERS, alg) || (allowed.length > 0 && !allowed.includes(alg)))
    return [{ param: 'alg', message: `'${String(alg)}' is not allowed` }];
  const all = isObject(keys) && Array.isArray(keys['keys']) ? keys['keys'] : Array.isArray(keys) ? keys : [keys];
  const named = all.filter((key: Json) => mayBe(key, header['kid']));
  if (!named.some((key: Json) => VERIFIERS[alg as keyof typeof VERIFIERS](key, read)))
    return [{ param: 'signature', message: named.length === 0 ? 'no key has this kid' : 'does not match' }];
  return claimProblems(header, claims, rules, nowMs / 1000);
}

function claimProblems(header: JsonObject, claims: JsonObject, rules: JsonObject, now: number): TokenProblem[] {
  const problems: TokenProblem[] = [];
  const leeway = Number(rules['leeway'] ?? 0);
  const note = (param: string, message: string): void => void problems.push({ param, message });
  for (const name of textsOf(rules['required'] ?? null)) if ((claims[name] ?? null) === null) note(name, 'is missing');
  const { exp = null, nbf = null, iss = null, aud = null } = claims;
  if (exp !== null && typeof exp !== 'number') note('exp', 'is not a number');
  else if (exp !== null && exp + leeway <= now) note('exp', 'has expired');
  if (nbf !== null && typeof nbf !== 'number') note('nbf', 'is not a number');
  else if (nbf !== null && nbf - leeway > now) note('nbf', 'is in the future');
  const issuers = textsOf(rules['iss'] ?? null);
  if (issuers.length > 0 && !issuers.includes(String(iss))) note('iss', `'${String(iss)}' is not the issuer`);
  const audiences = textsOf(rules['aud'] ?? null);
  if (audiences.length > 0 && !textsOf(aud).some((each) => audiences.includes(each)))
    note('aud', 'does not name this audience');
  const type = rules['typ'];
  if (typeof type === 'string' && String(header['typ']).toLowerCase() !== type.toLowerCase())
    note('typ', `is not '${type}'`);
  return problems;
}

/** Whether a key may have signed a token with this `kid`: the ids are equal, or one of them is missing. */
function mayBe(key: Json, kid: Json | undefined): boolean {
  return typeof kid !== 'string' || !isObject(key) || typeof key['kid'] !== 'string' || key['kid'] === kid;
}

/** Verifies signatures, by algorithm. Each requires its own kind of key, so that a public key never serves as a secret. */
const VERIFIERS = {
  HS256: (key: Json, { content, signature }: Token): boolean => {
    if (typeof key !== 'string' || isPem(key)) return false;
    const wanted = createHmac('sha256', key).update(content).digest();
    return wanted.length === signature.length && timingSafeEqual(wanted, signature);
  },
  RS256: (key: Json, token: Token): boolean => verified(key, 'rsa', token),
  ES256: (key: Json, token: Token): boolean => verified(key, 'ec', token),
};

function verified(given: Json, kind: 'rsa' | 'ec', { content, signature }: Token): boolean {
  const key = publicKeyOf(given);
  if (key?.asymmetricKeyType !== kind) return false;
  return verify('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function textsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return value === null ? [] : [String(value)];
}
