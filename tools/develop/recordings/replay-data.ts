import { type Recorded, recorded } from '../../recordings/read.js';
import type { Files, Recording } from './recording.js';

/**
 * Parses the recordings of PyGithub's tests. `Class.test.txt` has eleven lines per call: scheme, method, host, port, path, headers and body of the
 * request, status, headers and body of the response, and an empty one. `Class.setUp.txt` comes before each test of the class.
 */
export function fromReplayData(files: Files, source: string): Recording[] {
  return [...files]
    .filter(([name]) => name.endsWith('.txt'))
    .map(([name, content]) => {
      const [group, test] = name.split('.');
      const before = test === 'setUp' ? undefined : files.get(`${group}.setUp.txt`);
      return { source, group, name, before: before === undefined ? [] : callsOf(before), calls: callsOf(content) };
    });
}

function callsOf(content: string): Recorded[] {
  const calls: Recorded[] = [];
  const lines = content.split('\n');
  for (let at = 0; at + 9 < lines.length; at++) {
    if (lines[at] !== 'https' && lines[at] !== 'http') continue;
    const [scheme, method, host, , path, headers, body, status, returned, text] = lines.slice(at, at + 10);
    calls.push(
      ...recorded({
        method,
        url: `${scheme}://${host}${path}`,
        headers: { 'content-type': 'application/json', ...pythonPairs(headers, /'([^']*)': '([^']*)'/g) },
        body: body === 'None' ? '' : body,
        status: Number(status),
        responseHeaders: pythonPairs(returned, /\('([^']*)', '([^']*)'\)/g),
        text,
        at: NaN,
      }),
    );
    at += 9;
  }
  return calls;
}

/** Parses headers from a Python dictionary or list of pairs; names in lower case. */
function pythonPairs(text: string, pair: RegExp): Record<string, string> {
  return Object.fromEntries([...text.matchAll(pair)].map(([, name, value]) => [name.toLowerCase(), value]));
}
