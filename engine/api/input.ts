import { decodeJson, decodeXml } from '../codecs/index.js';
import {
  type ByteStore,
  ByteStoreFull,
  INLINE_BYTES,
  type Json,
  type JsonObject,
  referenceText,
  type StoredBytes,
} from '../values/index.js';
import type { Model, Schema, Settings } from '../model/index.js';
import { ReadForm, readMultipart } from './multipart.js';
import type { WholeBody } from '../program/index.js';
import { decodeForm, decodeQuery, MalformedForm, wireKeys } from './form.js';
import { isWhole, mediaTypeOf, readWhole, type Upload } from './whole-body.js';

/** The decoded input of a call, or the error for input that can't be decoded. */
export type Input =
  | { readonly ok: true; readonly given: JsonObject; readonly text: boolean; readonly expand: readonly string[] }
  | { readonly ok: false; readonly error: string; readonly args: JsonObject };

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';
const XML_TYPE = 'application/xml';
const TYPES = { form: FORM, json: JSON_TYPE, xml: XML_TYPE, multipart: MULTIPART };
/** JSON types with a suffix (RFC 6839). */
const JSON_SUFFIX = /^application\/[\w.-]+\+json$/;
/** Media types of XML (RFC 7303). */
const XML = /^(?:application|text)\/(?:[\w.-]+\+)?xml$/;

/** Rules by which an operation's bodies are decoded. */
interface BodyRules {
  /** The format of bodies; undefined: the pack's default. */
  readonly requests?: 'form' | 'json' | 'multipart';
  readonly whole: WholeBody | null;
  /** Stores bytes that are too large for a value. */
  readonly store: ByteStore | null;
  /** Returns the list to which decoding adds the bytes that it stores for the duration of the call. */
  readonly held: () => StoredBytes[];
  readonly params: () => ReadonlyMap<string, Schema>;
  /** Lists and maps in the query of a call from inside the process, which passes them as values rather than as text. */
  readonly values: JsonObject | undefined;
}

/** Decodes query and body of a call. */
export function readInput(
  model: Model,
  query: string,
  contentType: string | undefined,
  body: Buffer | Upload | ReadForm | undefined,
  { requests, whole, store, held, params, values }: BodyRules,
): Input | Promise<Input> {
  const { settings } = model;
  let given: JsonObject = {};
  let text = true;
  if (query !== '') {
    const decoded = decodeQuery(query);
    if (!decoded.ok) return malformed(decoded.reason);
    given = values === undefined ? decoded.value : { ...decoded.value, ...values };
  }
  if (body !== undefined && !(body instanceof Uint8Array && body.length === 0)) {
    const type = typeOf(settings, contentType, whole);
    if (whole !== null && isWhole(whole, type) && !(body instanceof ReadForm)) {
      const read = readWhole(whole, contentType ?? '', body, store);
      if (!read.ok) return malformed(read.reason);
      if (read.given !== null) return withoutExpansion(model, { ...given, ...read.given }, read.text);
    }
    const encoding = type === '' ? (requests ?? settings.requests) : encodingOf(type);
    const isTaken = requests === undefined ? settings.encodings.has(encoding ?? '') : encoding === requests;
    if (encoding === undefined || !isTaken)
      return {
        ok: false,
        error: 'content_type_unsupported',
        args: { content_type: type, expected: TYPES[requests ?? settings.requests] },
      };
    if (!(body instanceof Uint8Array) && !(body instanceof ReadForm))
      return malformed('the body is of another operation of this route');
    if (encoding === 'multipart') {
      const query = given;
      return readMultipart(body, contentType ?? '', store).then(
        (parts) => withoutExpansion(model, { ...query, ...parts }, true),
        (error: unknown) =>
          malformed(error instanceof MalformedForm ? error.message : 'the body is not multipart/form-data'),
      );
    }
    if (body instanceof ReadForm) return malformed('the body is multipart/form-data');
    text = encoding !== 'json';
    const decoded = decodedBodies.get(body) ?? decodeAs(encoding, body);
    if (!decoded.ok) return malformed(decoded.reason);
    given = query === '' ? decoded.value : { ...(text ? given : typedTexts(given, params())), ...decoded.value };
    if (store !== null && body.length > INLINE_BYTES && encoding === 'json') {
      const stored = withStoredBytes(given, params(), store, held());
      if (stored !== null)
        return stored.then(
          (all) => withoutExpansion(model, all, false),
          (error: unknown): Input => {
            if (error instanceof ByteStoreFull)
              return { ok: false, error: 'body_too_large', args: { limit: body.length } };
            throw error;
          },
        );
    }
  }
  return withoutExpansion(model, given, text);
}

/** Converts query parameters to their declared types. Used beside a JSON body, whose own values need no conversion. */
function typedTexts(given: JsonObject, params: ReadonlyMap<string, Schema>): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const schema = params.get(name);
      return [name, schema === undefined ? value : typedText(schema, value)];
    }),
  );
}

function typedText(schema: Schema, value: Json): Json {
  if (schema.kind === 'array') {
    const { items, separator } = schema;
    const list = typeof value === 'string' && separator !== undefined ? value.split(separator) : value;
    return Array.isArray(list)
      ? (list as readonly Json[]).map((each) => typedText(items, each))
      : typedText(items, value);
  }
  if (typeof value !== 'string') return value;
  if (value === '' && (schema.unset || schema.nullable)) return null;
  if (schema.kind === 'boolean') return BOOLEANS.get(value.toLowerCase()) ?? value;
  const isNumber = schema.kind === 'integer' || schema.kind === 'number' || schema.kind === 'timestamp';
  return isNumber && /^-?\d{1,16}(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Decoded bodies of requests whose operation is selected by a value in the body. */
const decodedBodies = new WeakMap<Uint8Array, ReturnType<typeof decodeJson>>();

/** The members of a body before its operation is known. An invalid body has none: the operation then reports the error. */
export function bodyMembers({ settings }: Model, contentType: string | undefined, body: Uint8Array): JsonObject {
  const type = typeOf(settings, contentType, null);
  const encoding = type === '' ? settings.requests : encodingOf(type);
  if (encoding === undefined || encoding === 'multipart') return {};
  const decoded = decodeAs(encoding, body);
  decodedBodies.set(body, decoded);
  return decoded.ok ? decoded.value : {};
}

function decodeAs(encoding: 'form' | 'json' | 'xml', body: Uint8Array): ReturnType<typeof decodeJson> {
  return encoding === 'form' ? decodeForm(body) : encoding === 'xml' ? decodeXml(body) : decodeJson(body);
}

/** The media type by which a body is decoded. */
function typeOf(settings: Settings, contentType: string | undefined, whole: WholeBody | null): string {
  const named = contentType === FORM || contentType === JSON_TYPE ? contentType : mediaTypeOf(contentType ?? '');
  const isOther = settings.takesOtherTypes && !settings.encodings.has(encodingOf(named) ?? '');
  return isOther && !(whole !== null && isWhole(whole, named)) ? TYPES[settings.requests] : named;
}

function encodingOf(type: string): 'form' | 'json' | 'xml' | 'multipart' | undefined {
  if (type === FORM) return 'form';
  if (type === MULTIPART) return 'multipart';
  if (XML.test(type)) return 'xml';
  return type === JSON_TYPE || JSON_SUFFIX.test(type) ? 'json' : undefined;
}

function malformed(reason: string): Input {
  return { ok: false, error: 'body_malformed', args: { reason } };
}

/** Moves bytes of parameters that are too large for a value to the store; null: there are none. */
function withStoredBytes(
  given: JsonObject,
  params: ReadonlyMap<string, Schema>,
  store: ByteStore,
  held: StoredBytes[],
): Promise<JsonObject> | null {
  const large = Object.keys(given).filter((name) => {
    const [value, schema] = [given[name], params.get(name)];
    if (schema?.kind !== 'string' || schema.bytes === undefined) return false;
    const applies = [...schema.bytes].every(([other, wanted]) => given[other] === wanted);
    return applies && typeof value === 'string' && value.length > LARGE_BASE64;
  });
  if (large.length === 0) return null;
  const stored = async (): Promise<JsonObject> => {
    const made: Record<string, Json> = { ...given };
    for (const name of large) {
      const writer = store.writer();
      try {
        await writer.write(Buffer.from(String(given[name]), 'base64'));
        const bytes = await writer.finish();
        held.push(bytes);
        made[name] = referenceText(bytes, store);
      } catch (error) {
        await writer.abort();
        throw error;
      }
    }
    return made;
  };
  return stored();
}

/** Base64 text above this length is too large for a value. */
const LARGE_BASE64 = (INLINE_BYTES / 3) * 4 + 4;

/** Moves the expansion paths (such as `expand[]`) from the parameters to `expand`; an error if they aren't texts. */
function withoutExpansion(model: Model, given: JsonObject, text: boolean): Input {
  const { expansion } = model.settings;
  const name = expansion === null ? undefined : nameIn(given, expansion.param, model.settings.ignoreCase);
  if (expansion === null || name === undefined) return { ok: true, given, text, expand: [] };
  const { [name]: raw, ...rest } = given;
  const paths = pathsOf(raw, expansion.separator)?.map((path) => expansion.aliases.get(path) ?? path);
  if (paths !== undefined) return { ok: true, given: rest, text, expand: paths };
  if (expansion.lenient) return { ok: true, given: rest, text, expand: [] };
  return {
    ok: false,
    error: 'parameter_invalid_array',
    args: { param: expansion.param, kind: 'array', value: typeof raw === 'string' ? raw : JSON.stringify(raw) },
  };
}

/** Returns the name under which a parameter was sent, in any case if `ignoreCase`; undefined if it wasn't sent. */
function nameIn(given: JsonObject, name: string, ignoreCase: boolean): string | undefined {
  if (Object.hasOwn(given, name)) return name;
  return ignoreCase ? Object.keys(given).find((each) => each.toLowerCase() === name.toLowerCase()) : undefined;
}

function pathsOf(raw: Json, separator: string | null): string[] | undefined {
  const list: readonly Json[] | undefined = Array.isArray(raw)
    ? (raw as readonly Json[])
    : typeof raw === 'string' && separator !== null
      ? [raw]
      : undefined;
  if (list === undefined || !list.every((each) => typeof each === 'string')) return undefined;
  return list
    .flatMap((each) =>
      separator === null
        ? [String(each)]
        : String(each)
            .split(separator)
            .map((part) => part.trim()),
    )
    .filter((path) => path !== '');
}

/** Converts a list of a form to the map that its declared type requires: `m[7]=x` is first decoded as a list. */
export function listAsMap(list: readonly Json[]): JsonObject | undefined {
  const keys = wireKeys(list);
  return keys && Object.fromEntries(keys.map((key, index) => [key, list[index]]));
}

/** Renames parameters to the declared case. */
export function inDeclaredCase(given: JsonObject, declared: Iterable<string>): JsonObject {
  const names = new Map([...declared].map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [names.get(name.toLowerCase()) ?? name, value]),
  );
}
