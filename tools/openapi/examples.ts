import qs from 'qs';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { DocumentedCall } from './contract.js';
import { looseJson, readCurl } from './curl.js';
import { documentBody, type Document, isJson, listOr, type Node, objectOr, successOf, textOr } from './document.js';

/** One example of a document: what is sent, and what comes back when all is well. */
export interface Example {
  readonly call: DocumentedCall;
  /** As the document calls it; else its number. */
  readonly name: string;
  /** Undefined: the document does not show what is sent. */
  readonly sent: Json | undefined;
  readonly query: JsonObject;
  readonly status: number;
  readonly response: Json;
}

/** Examples of a document by operation, each with its request where the document shows it. */
export function examplesOf(document: Document, call: DocumentedCall): Example[] {
  const success = successOf(document, call.operation);
  if (success === undefined) return [];
  const { status, body } = success;
  if (body !== undefined && !isJson(body.type)) return [];
  const responses = namedExamples(document, success.response);
  const requests = namedExamples(document, document.at(call.operation['requestBody']));
  const paired = responses.map(([name, response]): Example => ({
    call,
    name,
    sent: (requests.find(([other]) => other === name) ?? requests[0])?.[1],
    query: queryOf(document, call),
    status,
    response,
  }));
  const fromLines = Object.entries(call.operation).flatMap(([key, value]) =>
    key.startsWith('x-') ? writtenExamples(call, status, value) : [],
  );
  if (paired.length > 0 || fromLines.length > 0) return [...paired, ...fromLines];
  const whole = wholeExample(document, body?.schema);
  const request = documentBody(document, call.operation['requestBody']);
  return whole === undefined
    ? []
    : [
        {
          call,
          name: 'schema',
          sent: requests[0]?.[1] ?? wholeExample(document, request?.schema),
          query: queryOf(document, call),
          status,
          response: whole,
        },
      ];
}

/** `examplesOf`, read once for each call. */
export function exampleIndex(document: Document): (call: DocumentedCall) => readonly Example[] {
  const known = new Map<DocumentedCall, readonly Example[]>();
  return (call) => {
    const found = known.get(call) ?? examplesOf(document, call);
    known.set(call, found);
    return found;
  };
}

/** What a body shows, by name. */
function namedExamples(document: Document, holder: Node): (readonly [string, Json])[] {
  const body = documentBody(document, holder);
  if (body === undefined) return [];
  const media = document.at(document.at(holder['content'])[body.type]);
  const named = Object.entries(objectOr(media['examples'])).map(
    ([name, each]) => [name, document.at(each)['value']] as const,
  );
  return [...named, ['example', media['example']] as const].flatMap(([name, value]) => {
    const read = typeof value === 'string' && isJson(body.type) ? looseJson(value) : (value as Json | undefined);
    return read !== undefined && read !== null && typeof read === 'object' ? [[name, read] as const] : [];
  });
}

/** The example of a schema that is one object. */
function wholeExample(document: Document, schema: unknown): Json | undefined {
  const node = document.at(schema);
  const shown = node['example'] ?? listOr(node['examples'])[0];
  return isObject(shown) ? shown : undefined;
}

function queryOf(document: Document, call: DocumentedCall): JsonObject {
  const query: Record<string, Json> = {};
  for (const each of call.parameters) {
    if (each['in'] !== 'query' || each['required'] !== true) continue;
    const shown = each['example'] ?? document.at(Object.values(objectOr(each['examples']))[0])['value'];
    if (shown !== undefined) query[textOr(each['name'])] = shown as Json;
  }
  return query;
}

/** Examples in an extension that holds lines of curl and responses as texts. */
function writtenExamples(call: DocumentedCall, status: number, extension: unknown): Example[] {
  const { examples } = objectOr(extension);
  const each = Array.isArray(examples) ? (examples as unknown[]) : examples === undefined ? [] : [examples];
  return each.flatMap((example, index): Example[] => {
    const { request, response, title } = objectOr(example);
    const line = readCurl(textOr(objectOr(request)['curl']));
    const shown = looseJson(textOr(response));
    if (line === undefined || shown === undefined || shown === null || typeof shown !== 'object') return [];
    const parts = Object.fromEntries(line.parts) as JsonObject;
    const sent = line.data === undefined ? (line.parts.length > 0 ? parts : undefined) : looseJson(line.data);
    // A line that cannot be read shows nothing that could be sent.
    if (line.data !== undefined && sent === undefined) return [];
    const query = qs.parse(line.query) as JsonObject;
    return [{ call, name: textOr(title) || String(index + 1), sent, query, status, response: shown }];
  });
}
