import { isObject, type Json, type JsonObject, toText, ExpressionFailure } from '../values/index.js';
import { formText, privateKeyOf } from '../codecs/index.js';
import { type Holder, type Host, withOrigin } from '../expression/index.js';
import type { WorldReader } from '../runtime/index.js';
import type { Row } from '../world/index.js';
import { CONNECTION_HEADERS, type EndpointPlan, type HttpPlan, type SignatureStyle } from '../program/index.js';
import { maskHeaders, textsOf } from './mask.js';
import { type Headers, headersOf, type Message } from './message.js';
import { createHmac, sign as signWith } from 'node:crypto';

/** A message of the HTTP transport. */
export interface Rendered {
  readonly headers: Headers;
  readonly body: string;
  /** The headers with secrets masked. */
  readonly shown: Headers;
}

/** Renders and signs a message; `timestamp` is real time in Unix seconds. */
export type Render = (host: WorldReader, message: Message, timestamp: number) => Rendered;

const TYPES = {
  json: ['Content-Type', 'application/json'],
  form: ['Content-Type', 'application/x-www-form-urlencoded'],
} as const;

/** Makes the function that renders a transport's messages. */
export function renderer(plan: HttpPlan, endpoints: EndpointPlan): Render {
  const { signature, encoding, indent, method } = plan;
  const sign = signature && signer(signature.style);
  return (host, { event, endpoint, body: sent, attempt, failure }, timestamp) => {
    const payload = sent === null ? inVersion(host, event, endpoint, endpoints) : event;
    const parts = { event: payload, endpoint };
    const body = sent ?? written(plan.body(host, parts), { encoding, indent: indent(host, parts) }, host.baseUrl);
    const message = { event, endpoint, timestamp, body };
    const keys = endpoints.secrets(host, endpoint);
    const content = signature && sign ? withOrigin(toText(signature.content(host, message)), host.baseUrl) : '';
    const signatures = sign ? keys.map((key) => sign(key, content)) : [];
    const own = plan.headers(host, { ...message, secret: keys[0] ?? null, signatures, attempt, failure });
    const headers = headersOf([...(method === 'GET' ? [] : [TYPES[encoding]]), ...sendable(own, host.baseUrl)]);
    const secrets = { keys, signatures, hidden: textsOf(endpoint.value, plan.secretFields) };
    return { headers, body, shown: maskHeaders(headers, secrets) };
  };
}

/** Returns an event as the endpoint's API version shows it. */
function inVersion(host: Host, event: Holder, endpoint: Row, { version, renderings }: EndpointPlan): Holder {
  if (version === null || renderings === null) return event;
  const versions = event.value[renderings];
  const own = isObject(versions) ? versions[String(version(host, endpoint))] : undefined;
  return isObject(own) ? { value: { ...event.value, ...own } } : event;
}

/** Removes headers without a value and those of the connection. */
function sendable(pairs: ReturnType<HttpPlan['headers']>, origin: string): [string, string][] {
  return pairs.flatMap(([name, value]) =>
    value === null || CONNECTION_HEADERS.has(name.toLowerCase()) ? [] : [[name, withOrigin(toText(value), origin)]],
  );
}

/** The body as JSON or form; a text is sent unchanged. */
function written(
  body: Json,
  { encoding, indent }: { readonly encoding: HttpPlan['encoding']; readonly indent: number },
  origin: string | undefined,
): string {
  if (body === null) return '';
  const text = withOrigin(typeof body === 'string' ? body : JSON.stringify(body, null, indent), origin);
  // Inserts the origin first, since a form encodes characters of addresses.
  return encoding === 'form' && isObject(body) ? formText(JSON.parse(text) as JsonObject) : text;
}

/** A signature over the content (UTF-8) with the endpoint's secret. */
type Sign = (secret: string, content: string) => string;

/** Makes the function that signs as a vendor does. It throws for a secret that is no key if a key is needed. */
export function signer({ algorithm = 'sha256', key, key_prefix: prefix = '', digest }: SignatureStyle): Sign {
  if (algorithm === 'rsa-sha256' || algorithm === 'ecdsa-sha256')
    return (secret, content) => {
      const key = privateKeyOf(jwkOf(secret) ?? secret);
      const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ec';
      if (key?.asymmetricKeyType !== kind)
        throw new ExpressionFailure(
          `the secret of the endpoint is no private ${kind.toUpperCase()} key, in PEM or as a JWK`,
        );
      return signWith('sha256', Buffer.from(content, 'utf8'), key).toString(digest);
    };
  return (secret, content) =>
    createHmac(algorithm, keyOf(secret, key, prefix))
      .update(content, 'utf8')
      .digest(digest);
}

function keyOf(secret: string, kind: SignatureStyle['key'], prefix: string): string | Buffer {
  if (kind === 'utf8') return secret;
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

/** A secret that is JWK JSON. */
function jwkOf(secret: string): Json {
  if (!secret.startsWith('{')) return null;
  try {
    const value = JSON.parse(secret) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
