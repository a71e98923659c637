import { createRequire } from 'node:module';
import { isUtf8 } from 'node:buffer';
import { LIMITS } from '../limits.js';
import { isObject, type Json, type JsonObject, toText } from '../values/index.js';
import type { DecodedJson } from './json.js';

/**
 * XML as JSON: an element is its text, or a map of its children; elements of one name are a list; `@name` is an attribute, and
 * `#text` the text of an element that has attributes or children. Namespace prefixes are removed.
 */

type Library = typeof import('sax');

let loaded: Library | undefined;

/** The parser. Loaded on first use, since most packs have no XML. */
function library(): Library {
  return (loaded ??= createRequire(import.meta.url)('sax') as Library);
}

const MAX_DEPTH = LIMITS.bodyDepth.value;
/** Names that could reach an object's prototype. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Parser options: only the five entities of XML itself. */
const OPTIONS = { trim: false, normalize: false, xmlns: false, strictEntities: true };

/** Thrown for invalid XML. */
class MalformedXml extends Error {}

/** An element whose end tag hasn't been read yet. */
interface Open {
  readonly name: string;
  readonly members: Record<string, Json>;
  text: string;
}

/**
 * Decodes an XML body: the children and attributes of its root element. Documents with a DOCTYPE (and so with their own
 * entities), more than 64 levels or invalid markup are rejected.
 */
export function decodeXml(body: Uint8Array): DecodedJson<Json> {
  if (!isUtf8(body)) return { ok: false, reason: 'the body is not valid UTF-8' };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    const [root] = Object.values(parsed(text));
    return { ok: true, value: isObject(root) ? root : root === '' ? {} : { '#text': root } };
  } catch (error) {
    if (error instanceof MalformedXml) return { ok: false, reason: error.message };
    throw error;
  }
}

/** The value of an XML text: a map with its root element. Null: invalid XML. */
export function xmlValue(text: string): JsonObject | null {
  try {
    return parsed(text);
  } catch (error) {
    if (error instanceof MalformedXml) return null;
    throw error;
  }
}

function parsed(text: string): JsonObject {
  const parser = library().parser(true, OPTIONS);
  const document: Open = { name: '', members: {}, text: '' };
  const open: Open[] = [document];
  const top = (): Open => open[open.length - 1];
  parser.onerror = (error) => {
    const [reason] = error.message.split('\n');
    throw new MalformedXml(`the body is not valid XML: ${reason}`);
  };
  parser.ondoctype = () => {
    throw new MalformedXml('the body has a DOCTYPE, which is not accepted');
  };
  parser.onopentag = ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) throw new MalformedXml(`the body is nested deeper than ${MAX_DEPTH} levels`);
    const members: Record<string, Json> = {};
    for (const [attribute, value] of Object.entries(attributes))
      if (!/^xmlns(?::|$)/.test(attribute)) add(members, `@${localName(attribute)}`, String(value));
    open.push({ name: localName(name), members, text: '' });
  };
  parser.ontext = (more) => void (top().text += more);
  parser.oncdata = (more) => void (top().text += more);
  parser.onclosetag = () => {
    const closed = open.pop();
    if (closed !== undefined) add(top().members, closed.name, valueOf(closed));
  };
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return document.members;
}

function localName(name: string): string {
  const local = name.slice(name.indexOf(':') + 1);
  if (FORBIDDEN.has(local)) throw new MalformedXml(`the name '${local}' is not accepted`);
  return local;
}

function valueOf({ members, text }: Open): Json {
  if (Object.keys(members).length === 0) return text;
  return text.trim() === '' ? members : { ...members, '#text': text };
}

/** Adds a member to a map; a second member of the same name turns it into a list. */
function add(members: Record<string, Json>, name: string, value: Json): void {
  const other = Object.hasOwn(members, name) ? members[name] : undefined;
  if (other === undefined) members[name] = value;
  else if (Array.isArray(other)) (other as Json[]).push(value);
  else members[name] = [other, value];
}

/** Writes a map as XML, each member an element, in order; null is left out, and a list becomes several elements. */
export function xmlText(value: JsonObject): string {
  return Object.entries(value)
    .map(([name, each]) => element(name, each))
    .join('');
}

/** Writes a response body: with a declaration and one root element. */
export function xmlDocument(value: Json): string {
  const isRooted = isObject(value) && Object.keys(value).length === 1 && !Array.isArray(Object.values(value)[0]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlText(isRooted ? value : { response: value })}`;
}

/** Characters that names of XML 1.0 (2.3) can't have: in a member's name they would be markup. */
const NOT_IN_NAMES = /^(?![\p{L}_:])|[^\p{L}\p{N}._:\u{B7}-]/gu;

function element(key: string, value: Json): string {
  const name = nameOf(key);
  if (value === null) return '';
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => element(name, each)).join('');
  if (!isObject(value)) return `<${name}>${escaped(toText(value))}</${name}>`;
  const attributes = Object.entries(value)
    .filter(([key, each]) => key.startsWith('@') && each !== null)
    .map(([key, each]) => ` ${nameOf(key.slice(1))}="${escaped(toText(each)).replaceAll('"', '&quot;')}"`)
    .join('');
  const children = Object.entries(value)
    .filter(([key]) => !key.startsWith('@'))
    .map(([key, each]) => (key === '#text' ? escaped(toText(each)) : element(key, each)))
    .join('');
  return children === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${children}</${name}>`;
}

function nameOf(key: string): string {
  return key.replace(NOT_IN_NAMES, '_');
}

/** Escapes a text, and removes characters that XML 1.0 (2.2) can't contain. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
