import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { isList, isObject, type Json, type JsonObject } from '../values/index.js';
import type { Schema } from '../model/index.js';
import type { Operation, Program } from '../program/index.js';
import type { Engine } from '../runtime/index.js';
import type { StoredEntry } from '../world/index.js';

/** The text that replaces a secret in output for people. */
const MASK = '***';
/** The only member of the object that replaces a secret in replayable files. */
const SECRET = '$secret';
/** Headers with credentials, whether the pack reads them or not. */
const HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

const CIPHER = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** The source from which a replay restores a secret. */
type SecretSource =
  | { readonly variable: string }
  /** A field of an object that existed before the call. */
  | { readonly collection: string; readonly id: string; readonly field: string }
  /** Base64, encrypted with the world's key. */
  | { readonly sealed: string };

/** Schemas of parameters that may hold a secret, by operation; null if it has none. */
const secretParams = new WeakMap<Operation, ReadonlyMap<string, Schema> | null>();
const byKey = new WeakMap<Program, ReadonlyMap<string, Operation>>();

/** The arguments of an entry for people: secrets that a call sent are masked. */
export function publicArgs(engine: Engine, entry: Pick<StoredEntry, 'command' | 'origin' | 'args' | 'pack'>): Json {
  return entry.origin === 'call' && isObject(entry.args) ? withSecrets(engine, entry, () => MASK) : entry.args;
}

/**
 * The arguments of a call for a file: each secret is replaced by a reference with which a replay finds it.
 * @param seals key that encrypts secrets which the world doesn't store; null: they are masked
 * @param wasThere whether an object existed before the call
 */
export function portableArgs(
  engine: Engine,
  entry: Pick<StoredEntry, 'command' | 'args' | 'pack'>,
  seals: string | null,
  wasThere: (collection: string, id: string) => boolean,
): JsonObject {
  const own = engineOf(engine, entry);
  const args = withSecrets(engine, entry, (value) => {
    const source = typeof value === 'string' ? (variableOf(own, value) ?? fieldOf(own, value, wasThere)) : null;
    const sealed = source ?? (seals === null ? null : { sealed: seal(value, seals) });
    return sealed === null ? MASK : { [SECRET]: { ...sealed } };
  });
  return isObject(args) ? args : {};
}

/** Thrown for a file whose secrets were encrypted with another key. */
export class SecretsSealed extends Error {
  constructor() {
    super('the file has secrets of calls that are sealed with the key of their world: repeat it with that key');
  }
}

/** Restores the secrets in the arguments of a file. Secrets of missing objects stay masked. @throws SecretsSealed */
export function openedArgs(engine: Engine, args: Json, seals: string): Json {
  if (isList(args)) return args.map((each) => openedArgs(engine, each, seals));
  if (!isObject(args)) return args;
  const { [SECRET]: source } = args;
  if (isObject(source)) return secretFrom(engine, source, seals) ?? MASK;
  return Object.fromEntries(Object.entries(args).map(([name, each]) => [name, openedArgs(engine, each, seals)]));
}

/** Replaces references to secrets in the arguments of an exported file by a mask, for output to people. */
export function maskedArgs(args: Json): Json {
  if (isList(args)) return args.map(maskedArgs);
  if (!isObject(args)) return args;
  if (isObject(args[SECRET])) return MASK;
  return Object.fromEntries(Object.entries(args).map(([name, each]) => [name, maskedArgs(each)]));
}

function secretFrom(engine: Engine, source: JsonObject, seals: string): Json | undefined {
  const { variable, collection, id, field, sealed } = source;
  if (typeof variable === 'string') return engine.model.env.vars.get(variable);
  if (typeof sealed === 'string') {
    const opened = unseal(sealed, seals);
    if (opened === undefined) throw new SecretsSealed();
    return opened;
  }
  const def = typeof collection === 'string' ? engine.model.byCollection.get(collection) : undefined;
  if (!def || typeof id !== 'string' || typeof field !== 'string') return undefined;
  return engine.world.tenants.find(def.index, id)?.value[field];
}

/** The engine of the pack that an entry belongs to. */
function engineOf({ company, world }: Engine, { pack }: Pick<StoredEntry, 'pack'>): Engine {
  return company[world.timeline.worlds.indexOf(world.timeline.of(pack))];
}

type Replace = (secret: Json) => Json;

function withSecrets(engine: Engine, entry: Pick<StoredEntry, 'command' | 'args' | 'pack'>, replace: Replace): Json {
  const { args } = entry;
  if (!isObject(args)) return args;
  const { params, headers, cookies, operation } = args;
  const own = engineOf(engine, entry);
  const schemas = secretsOf(own.pack, typeof operation === 'string' ? operation : entry.command);
  const made: Record<string, Json> = { ...args };
  if (schemas !== null && isObject(params)) made['params'] = inFields(schemas, params, replace);
  if (isObject(headers)) {
    const { requestHeaders } = own.model.settings;
    const shown = Object.entries(headers).map(([name, value]) => {
      const isSecret = HEADERS.has(requestHeaders.get(name) ?? name);
      return [name, isSecret ? replace(value) : value] as const;
    });
    made['headers'] = Object.fromEntries(shown);
  }
  if (isObject(cookies))
    made['cookies'] = Object.fromEntries(Object.entries(cookies).map(([name, value]) => [name, replace(value)]));
  return made;
}

function secretsOf(pack: Program, key: string): ReadonlyMap<string, Schema> | null {
  let operations = byKey.get(pack);
  if (operations === undefined)
    byKey.set(pack, (operations = new Map(pack.operations.map((each) => [each.key, each]))));
  const operation = operations.get(key);
  if (operation === undefined) return null;
  let found = secretParams.get(operation);
  if (found === undefined) {
    const secret = [...operation.params()].filter(([, schema]) => holdsSecret(schema));
    secretParams.set(operation, (found = secret.length === 0 ? null : new Map(secret)));
  }
  return found;
}

function holdsSecret(schema: Schema): boolean {
  if (schema.secret === true) return true;
  if (schema.kind === 'object') return [...schema.fields.values()].some(holdsSecret);
  if (schema.kind === 'array') return holdsSecret(schema.items);
  return false;
}

function inFields(fields: ReadonlyMap<string, Schema>, value: JsonObject, replace: Replace): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const schema = fields.get(name);
      return [name, schema === undefined ? each : inValue(schema, each, replace)];
    }),
  );
}

function inValue(schema: Schema, value: Json, replace: Replace): Json {
  if (schema.secret === true) return value === null || value === '' ? value : replace(value);
  if (schema.kind === 'object' && isObject(value)) return inFields(schema.fields, value, replace);
  if (schema.kind === 'array' && isList(value)) return value.map((each) => inValue(schema.items, each, replace));
  return value;
}

/** Minimum length of a secret that is looked up by its value: shorter texts can be equal by chance. */
const SHORTEST = 8;

function variableOf({ model }: Engine, text: string): SecretSource | null {
  if (text.length < SHORTEST) return null;
  for (const [name, value] of model.env.vars) if (value === text) return { variable: name };
  return null;
}

/** Finds an indexed field with this text in an object that existed before the call; null: none. */
function fieldOf(
  { pack, world }: Engine,
  text: string,
  wasThere: (collection: string, id: string) => boolean,
): SecretSource | null {
  if (text.length < SHORTEST) return null;
  for (const { index, collection, file } of pack.resources.map(({ def }) => def))
    for (const field of file.indexes ?? [])
      for (const { id } of world.collections[index].ordered(field, text).all())
        if (wasThere(collection, id)) return { collection, id, field };
  return null;
}

function keysOf(seals: string): { readonly seal: Buffer; readonly nonce: Buffer } {
  const make = (what: string): Buffer => Buffer.from(hkdfSync('sha256', seals, '', what, 32));
  return { seal: make('sandbox secrets'), nonce: make('sandbox nonces') };
}

/** Encrypts a secret. The result depends only on value and key, so that equal worlds give equal files. */
function seal(value: Json, seals: string): string {
  const keys = keysOf(seals);
  const text = JSON.stringify(value);
  const nonce = createHmac('sha256', keys.nonce).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keys.seal, nonce);
  const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return bytes.toString('base64');
}

/** Decrypts a secret; undefined: it was encrypted with another key. */
function unseal(sealed: string, seals: string): Json | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, keysOf(seals).seal, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
