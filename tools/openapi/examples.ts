import qs from 'qs';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { DocumentedCall } from './contract.js';
import { looseJson, readCurl } from './curl.js';
import { documentBody, type Document, isJson, listOr, type Node, objectOr, successOf, textOr } from './document.js';

/** An example of a request and its successful response. */
export interface Example {
  readonly call: DocumentedCall;
  /** Name in the document, else a number. */
  readonly name: string;
  /** Undefined if the document doesn't show the request. */
  readonly sent: Json | undefined;
  readonly query: JsonObject;
  readonly status: number;
  readonly response: Json;
}

/** Examples of an operation, each with its request if the document shows it. */
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

/** A cached `examplesOf`. */
export function exampleIndex(document: Document): (call: DocumentedCall) => readonly Example[] {
  const known = new Map<DocumentedCall, readonly Example[]>();
  return (call) => {
    const found = known.get(call) ?? examplesOf(document, call);
    known.set(call, found);
    return found;
  };
}

/** Examples of a body, by name. */
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

/** The example of a whole object, from its schema. */
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

/** Reads examples from a vendor extension with curl commands and responses as text. */
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
    // A body that can't be parsed can't be sent.
    if (line.data !== undefined && sent === undefined) return [];
    const query = qs.parse(line.query) as JsonObject;
    return [{ call, name: textOr(title) || String(index + 1), sent, query, status, response: shown }];
  });
}
