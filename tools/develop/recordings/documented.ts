import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { type Recorded, recorded } from '../../recordings/read.js';
import type { Files, Recording } from './recording.js';

/** Text that replaces a parameter in a documented path. */
const SAMPLE = 'x1234567';

/** Converts the response examples of OpenAPI documents (also Swagger 2) to recordings without requests. */
export function fromDocument(files: Files, source: string): Recording[] {
  return [...files].flatMap(([name, text]) => {
    if (!/\.(ya?ml|json)$/.test(name)) return [];
    const document = (name.endsWith('.json') ? JSON.parse(text) : parse(text, { logLevel: 'silent' })) as Json;
    if (!isObject(document) || !isObject(document['paths'])) return [];
    return callsOf(document).map((call, at) => ({
      source,
      group: name,
      name: `${name} ${at}`,
      before: [],
      calls: [call],
      unplayable: true as const,
    }));
  });
}

function callsOf(document: JsonObject): Recorded[] {
  return membersOf(document['paths']).flatMap(([path, item]) =>
    membersOf(item).flatMap(([method, operation]) =>
      membersOf(memberOf(operation, 'responses')).flatMap(([status, response]) =>
        examplesOf(response).flatMap((body) =>
          recorded({
            method,
            url: addressOf(document, item) + path.replace(/\{\w+\}/g, SAMPLE),
            headers: {},
            body: '',
            status: Number(status) || 200,
            responseHeaders: { 'content-type': 'application/json' },
            text: JSON.stringify(body),
            partial: true,
            at: NaN,
          }),
        ),
      ),
    ),
  );
}

/** Lists the examples of a response's media type: named ones or a single one. */
function examplesOf(response: Json): Json[] {
  const content = memberOf(memberOf(response, 'content'), 'application/json');
  const named = membersOf(memberOf(content, 'examples')).map(([, each]) => memberOf(each, 'value'));
  const old = memberOf(memberOf(response, 'examples'), 'application/json');
  return [...named, memberOf(content, 'example'), old].filter((each) => isObject(each));
}

function addressOf(document: JsonObject, item: Json): string {
  const [own] = [memberOf(item, 'servers'), document['servers'] ?? null].filter((each) => Array.isArray(each));
  const first = Array.isArray(own) ? memberOf((own as readonly Json[])[0] ?? null, 'url') : null;
  if (typeof first === 'string') return first.replace(/\/$/, '');
  const { host, basePath = '' } = document;
  return `https://${String(host)}${String(basePath)}`;
}

function memberOf(value: Json | undefined, name: string): Json {
  return value !== undefined && isObject(value) ? (value[name] ?? null) : null;
}

function membersOf(value: Json | undefined): [string, Json][] {
  return value !== undefined && isObject(value) ? Object.entries(value) : [];
}
