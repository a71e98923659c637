import { isObject, type Json } from '../../engine/values/index.js';
import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { listOr, type Node, objectOr, successOf, textOr } from './document.js';
import { escapedTemplate } from './fields.js';
import { plain } from './types.js';

const EVENT_STREAM = 'text/event-stream';
/** Event types kept from a stream with many types, in this order. */
const MOMENTS = [/created$/, /in_progress$/, /text[._]delta$/, /delta$/, /text[._]done$/, /completed$|done$/];
/** Maximum number of chunks kept from a documented stream. */
const MOST_CHUNKS = 40;
/** Members that contain a piece of the text. */
const PIECES = ['content', 'text', 'delta'];

/**
 * Builds the stream of a call from the schema of its chunks; text is streamed word by word.
 * @param params of the operation; the result is undefined if the call can return JSON too and none of them requests a stream
 * @param hasSelf the operation is about an object, whose id chunks contain
 */
export function streamKeys(
  build: Build,
  call: DocumentedCall,
  params: Readonly<Record<string, unknown>>,
  hasSelf: boolean,
): { readonly let: Record<string, unknown>; readonly stream: Record<string, unknown> } | undefined {
  const success = successOf(build.document, call.operation);
  const content = objectOr(success?.response['content']);
  const media = build.document.at(content[EVENT_STREAM]);
  const asks = 'stream' in params;
  const isOnly = Object.keys(content).length === 1;
  if (!(EVENT_STREAM in content) || !(asks || isOnly)) return undefined;
  const shown = shownChunks(build, call, media['schema']);
  const chunks = shown.length > 0 ? shown : chunksOf(build, media['schema']);
  if (chunks.length === 0) return undefined;
  const isDone = JSON.stringify(call.operation).includes('[DONE]') || JSON.stringify(media).includes('[DONE]');
  const carriesId = hasSelf && chunks.every(({ data }) => isObject(data) && typeof data['id'] === 'string');
  return {
    let: { chunks: escapedTemplate(chunks as unknown as Json) },
    stream: {
      ...(asks ? { when: 'params.stream == true' } : {}),
      events: carriesId ? "chunks.map(c, merge(c, {'data': merge(c.data, {'id': self.id})}))" : 'chunks',
      ...(isDone || describes(build, media['schema'], '[DONE]') ? { done: '[DONE]' } : {}),
    },
  };
}

interface Chunk {
  readonly event?: string;
  readonly data: Json;
}

/** Chunks in the document: a stream as text in an extension of the call or schema, or JSON lines. */
function shownChunks(build: Build, { operation }: DocumentedCall, schema: unknown): Chunk[] {
  const extensions = (node: Node): unknown[] =>
    Object.entries(node).flatMap(([key, value]) => (key.startsWith('x-') ? [value] : []));
  const shown = [...extensions(operation), ...extensions(build.document.at(schema))].flatMap(textsIn);
  const streams = shown.map((text) => (/^data: /m.test(text) ? eventsIn(text) : linesIn(text)));
  return streams.find((chunks) => chunks.length > 1)?.slice(0, MOST_CHUNKS) ?? [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function eventsIn(text: string): Chunk[] {
  return text.split(/\n\s*\n/).flatMap((block) => {
    const event = /^event: (.+)$/m.exec(block)?.[1];
    const data = parsed([...block.matchAll(/^data: (.*)$/gm)].map(([, line]) => line).join('\n'));
    return data === undefined ? [] : [{ ...(event === undefined ? {} : { event }), data }];
  });
}

function linesIn(text: string): Chunk[] {
  return text.split('\n').flatMap((line) => {
    const data = line.startsWith('{') ? parsed(line) : undefined;
    return data === undefined ? [] : [{ data }];
  });
}

function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function chunksOf(build: Build, schema: unknown): Chunk[] {
  const named = variantsOf(build, schema).flatMap((each) => {
    const { schema: inner } = plain(build.document, each);
    const properties = objectOr(inner['properties']);
    const whole = 'event' in properties && 'data' in properties;
    const name = constantText(build, whole ? properties['event'] : properties['type']);
    return name === undefined ? [] : [{ name, schema: whole ? properties['data'] : each }];
  });
  if (named.length > 1) {
    const picked = new Set(MOMENTS.flatMap((moment) => plainest(named.filter(({ name }) => moment.test(name)))));
    return [...picked].flatMap(({ name, schema: own }) => {
      const data = build.sampler.of(own);
      return data === undefined ? [] : [{ event: name, data }];
    });
  }
  const made = build.sampler.of(schema);
  if (made === undefined) return [];
  const path = pieceIn(made);
  if (path === undefined) return [{ data: made }];
  const words = String(read(made, path)).split(/(?<=\s)/);
  return words.map((word) => ({ data: put(made, path, word) }));
}

/** Of event types with the same role, the one with the fewest words, then the shortest. */
function plainest<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  const words = ({ name }: T): number => name.split('.').length * 1000 + name.length;
  return [...named].sort((a, b) => words(a) - words(b)).slice(0, 1);
}

/** The alternatives of a chunk's schema. */
function variantsOf(build: Build, schema: unknown, depth = 0): readonly unknown[] {
  const node = build.document.at(schema);
  const options = [...listOr(node['oneOf']), ...listOr(node['anyOf'])];
  return options.length === 0 || depth > 3 ? [schema] : options.flatMap((each) => variantsOf(build, each, depth + 1));
}

function constantText(build: Build, property: unknown): string | undefined {
  const { schema } = plain(build.document, property);
  const [value] = 'const' in schema ? [schema['const']] : listOr(schema['enum']);
  return typeof value === 'string' ? value : undefined;
}

function describes({ document }: Build, schema: unknown, word: string): boolean {
  return textOr(document.at(schema)['description']).includes(word);
}

/** Path of the member that contains a piece of text. */
function pieceIn(value: Json, path: readonly (string | number)[] = []): readonly (string | number)[] | undefined {
  if (typeof value === 'string') return PIECES.includes(String(path.at(-1))) ? path : undefined;
  const members = Array.isArray(value) ? value.entries() : Object.entries(objectOr(value));
  for (const [key, each] of members) {
    const found = pieceIn(each as Json, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function read(value: Json, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Node)[key], value);
}

function put(value: Json, path: readonly (string | number)[], word: string): Json {
  const made = structuredClone(value);
  const holder = read(made, path.slice(0, -1)) as Record<string | number, Json>;
  holder[path[path.length - 1]] = word;
  return made;
}
