import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { flat, memberObject, type Recorded, recorded, toPlainText } from '../../recordings/read.js';
import type { Files, Recording } from './recording.js';

/** Parses WireMock recordings: `CLASS/wiremock/TEST/mappings/N-name.json`, with bodies in `__files` beside them. */
export function fromWireMock(files: Files, source: string): Recording[] {
  const tests = new Map<string, { readonly file: string; readonly mapping: JsonObject }[]>();
  for (const [file, content] of files) {
    const [folder] = file.split('/mappings/');
    if (folder === file || !file.endsWith('.json')) continue;
    const mapping = JSON.parse(content) as JsonObject;
    tests.set(folder, [...(tests.get(folder) ?? []), { file, mapping }]);
  }
  return [...tests].map(([name, found]) => ({
    source,
    group: name.split('/')[0],
    name,
    before: [],
    calls: found.sort((a, b) => orderOf(a) - orderOf(b)).flatMap(({ mapping }) => callOf(mapping, name, files)),
  }));
}

/** Returns the sort key of a call: its position in the recording, or the number of its file. */
function orderOf({ file, mapping }: { readonly file: string; readonly mapping: JsonObject }): number {
  const index = mapping['insertionIndex'];
  return typeof index === 'number' ? index : Number(/(\d+)[^/]*$/.exec(file)?.[1] ?? 0);
}

function callOf(mapping: JsonObject, folder: string, files: Files): Recorded[] {
  const [request, response] = [memberObject(mapping, 'request'), memberObject(mapping, 'response')];
  const file = response['bodyFileName'];
  const body =
    response['jsonBody'] === undefined ? toPlainText(response['body']) : JSON.stringify(response['jsonBody']);
  const returned = typeof file === 'string' ? files.get(`${folder}/__files/${file}`) : body;
  const sent = request['bodyPatterns'];
  // Skips a call whose body is only matched by a path expression, since the body is unknown.
  if (returned === undefined || /"matchesJsonPath"/.test(JSON.stringify(sent ?? null))) return [];
  const headers = Object.entries(memberObject(request, 'headers')).map(([name, rule]) => [
    name,
    isObject(rule) ? (rule['equalTo'] ?? '') : '',
  ]);
  return recorded({
    method: toPlainText(request['method']),
    url: `https://api.github.com${toPlainText(request['url'])}`,
    headers: flat(Object.fromEntries(headers) as JsonObject),
    body: Array.isArray(sent) ? bodyOf(sent as readonly Json[]) : '',
    status: Number(response['status']),
    responseHeaders: flat(response['headers']),
    text: returned,
    at: NaN,
  });
}

function bodyOf([pattern]: readonly Json[]): string {
  if (!isObject(pattern ?? null)) return '';
  const { equalToJson, equalTo } = pattern as JsonObject;
  return typeof equalToJson === 'object' ? JSON.stringify(equalToJson) : toPlainText(equalToJson ?? equalTo);
}
