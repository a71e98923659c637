import qs from 'qs';
import { ControlError, createSandbox, keyHeaders, type Sandbox } from '../../engine/index.js';
import { ExpressionFailure, isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { TemplateError } from '../../engine/expression/index.js';
import type { ExampleCall, ExampleFile, SeedFile } from '../../engine/model/index.js';
import { type DataPath, type PackSource, type Problem, ProblemList, type SourceFile } from '../../engine/pack/index.js';
import { bytesOf } from '../recordings/body-differences.js';
import { bytesIn, eventsIn, examplePart, isStream, multipartOf } from '../recordings/bodies.js';
import { compareExpected, shown, dataAt } from './compare.js';
import { ExampleReceiver } from './receiver.js';
import { SavedValues } from './values.js';

/** The results of a pack's examples. */
export interface ExampleResults {
  readonly examples: number;
  readonly calls: number;
  readonly problems: readonly Problem[];
}

/** The response to a call of an example. */
interface ExampleResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** A call of an example. */
interface ExampleRequest {
  readonly method: string;
  /** The path of the call, including its query. */
  readonly path: string;
  readonly contentType: string | undefined;
  /** The body of the call as text; undefined if there is none, or it is binary. */
  readonly body: string | undefined;
}

/** Callbacks for an example's vendor API calls, before they are made, and for their responses. */
interface ExampleListeners {
  readonly onCall?: (request: ExampleRequest, sandbox: Sandbox) => Promise<void>;
  readonly onResponse?: (response: ExampleResponse) => void;
}

/** Start of the clock in every example's world. */
export const EXAMPLES_T0 = '2025-01-01T00:00:00Z';

const CONTROL = '/__admin__';

/**
 * Runs every file of a pack's `examples/`, each in an empty world with the same seed and clock. An example ends at its first call with an unexpected
 * response. Predefined names: `receiver`, the URL of a webhook receiver, `url`, the sandbox itself, and `key`, the world's key. Also checks that the
 * data in `seeds/` can be seeded.
 * @param source of a pack that is valid
 */
export async function runExamples(source: PackSource, listeners: ExampleListeners = {}): Promise<ExampleResults> {
  const files = source.all('example').filter((file) => !file.broken);
  const seeds = source.all('seed').filter((file) => !file.broken);
  const list = new ProblemList();
  if (files.length + seeds.length === 0) return { examples: 0, calls: 0, problems: [] };
  const defects: string[] = [];
  const onDefect = (error: unknown, what: string): void => {
    defects.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const sandbox = await createSandbox({ pack: source.dir, seed: 'examples', t0: EXAMPLES_T0, onDefect });
  const receiver = new ExampleReceiver();
  let calls = 0;
  try {
    for (const file of seeds) await seedWorld(file, sandbox, list);
    for (const file of files) {
      await sandbox.control.reset({ t0: EXAMPLES_T0 });
      calls += await runExample(file, { sandbox, receiver, list, defects, listeners });
    }
  } finally {
    await Promise.all([sandbox.close(), receiver.close()]);
  }
  return { examples: files.length, calls, problems: list.all };
}

/** Members of seed data that aren't collections: rejections name their paths from the top of the data. */
const PARTS = ['tenants', 'deleted', 'timers', 'clocks', 't0'];

/** Seeds an empty world with the pack's seed data; rejections become problems with their location in the file. */
async function seedWorld(file: SourceFile, { control }: Sandbox, list: ProblemList): Promise<void> {
  await control.reset({ t0: EXAMPLES_T0 });
  const { seed: name } = file.data as SeedFile;
  await control.seed({ name }).catch((error: unknown) => {
    if (!(error instanceof ControlError)) throw error;
    const { message, path = '' } = (error.body as { error: { message: string; path?: string } }).error;
    const parts = [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
      index === undefined ? part : Number(index),
    );
    const at = parts.length === 0 || PARTS.includes(String(parts[0])) ? parts : ['resources', ...parts];
    list.add(file, at, 'seed-rejected', message);
  });
}

interface Running {
  readonly sandbox: Sandbox;
  readonly receiver: ExampleReceiver;
  readonly list: ProblemList;
  readonly defects: string[];
  readonly listeners: ExampleListeners;
}

/** Runs one example file and returns the number of its calls. */
async function runExample(file: SourceFile, running: Running): Promise<number> {
  const { calls } = file.data as ExampleFile;
  const values = new SavedValues(running.sandbox.engine);
  values.set('url', running.sandbox.url);
  values.set('key', running.sandbox.key);
  if (file.text.includes('receiver')) values.set('receiver', await running.receiver.url());
  for (const [index, call] of calls.entries()) {
    const path: DataPath = ['calls', index];
    const ok = await guarded(file, path, running, () => runCall(call, file, path, values, running));
    if (!ok) return index + 1;
  }
  return calls.length;
}

/** Runs an example, and reports errors in the example's own expressions as problems. */
async function guarded(
  file: SourceFile,
  path: DataPath,
  { list }: Running,
  run: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Misplaced) {
      const { cause, path: inner } = error;
      list.add(file, [...path, ...inner, ...cause.path], 'expression', cause.message, {
        suggestion: cause.suggestion,
        offset: cause.offset,
      });
      return false;
    }
    const what = error instanceof ExpressionFailure || error instanceof Error ? error.message : String(error);
    list.add(file, path, 'example-failed', what);
    return false;
  }
}

/** Thrown for a problem in a template of a call; contains the key of the call's member. */
class Misplaced extends Error {
  constructor(
    readonly path: DataPath,
    override readonly cause: TemplateError,
  ) {
    super(cause.message);
  }
}

function at<T>(path: DataPath, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof TemplateError ? new Misplaced(path, error) : error;
  }
}

async function runCall(
  call: ExampleCall,
  file: SourceFile,
  path: DataPath,
  values: SavedValues,
  running: Running,
): Promise<boolean> {
  const { sandbox, list, defects, listeners } = running;
  const before = defects.length;
  const { url, ...request } = requestOf(call, values, sandbox);
  if (call.plane !== 'control') await listeners.onCall?.(shownRequest(url, request, sandbox), sandbox);
  const response = await fetch(url, { ...request, redirect: 'manual' });
  const wanted = call.expect?.events;
  const bytes = await bytesOf(response, call.expect?.more === true ? (wanted?.length ?? 0) : Infinity);
  const text = bytes.toString();
  const isEvents = wanted !== undefined && isStream(response.headers.get('content-type') ?? undefined);
  const events = eventsIn(text).slice(0, call.expect?.more === true ? wanted?.length : undefined);
  const body = isEvents ? { events: events as unknown as Json } : bodyOf(text);
  if (call.plane !== 'control') {
    const contentType = response.headers.get('content-type') ?? '';
    const { pathname } = new URL(response.url);
    listeners.onResponse?.({
      method: call.call.split(' ')[0],
      path: pathname,
      status: response.status,
      contentType,
      text,
    });
  }
  const { expect = {}, save = {} } = call;
  const found = list.all.length;
  const fail = (where: DataPath, message: string, suggestion?: string): void =>
    list.add(file, [...path, ...where], 'example-failed', message, { suggestion });
  const good = expect.status === undefined ? response.status < 400 : response.status === expect.status;
  for (const defect of defects.slice(before)) fail(['call'], `a defect of the pack: ${defect}`);
  if (!good) {
    const [where, wanted] =
      expect.status === undefined ? [['call'], 'a success'] : [['expect', 'status'], expect.status];
    fail(where, `${call.call} returned ${response.status}, not ${wanted}: ${shown(body)}`);
    return false;
  }
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    const wanted = compareExpected(String(value), response.headers.get(name), values, `header ${name}`);
    for (const { message, suggestion } of wanted) fail(['expect', 'headers', name], message, suggestion);
  }
  if (expect.body !== undefined) {
    for (const each of compareExpected(expect.body, body, values, 'body'))
      fail(['expect', 'body', ...each.path], each.message, each.suggestion);
  }
  if (wanted !== undefined)
    for (const each of compareExpected(wanted, isObject(body) ? body['events'] : undefined, values, 'events'))
      fail(['expect', 'events', ...each.path], each.message, each.suggestion);
  if (expect.base64 !== undefined && !Buffer.from(expect.base64, 'base64').equals(bytes))
    fail(['expect', 'base64'], `the body has ${bytes.length} other bytes: ${shown(bytes.toString('base64'))}`);
  for (const [name, where] of Object.entries(save)) {
    const value = dataAt(body, where);
    if (value === undefined) fail(['save', name], `the response has no '${where}': ${shown(body)}`);
    else values.set(name, value);
  }
  return list.all.length === found;
}

/** The request of an example's call, after its templates are evaluated. */
interface WrittenRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

function shownRequest(url: string, { method, headers, body }: WrittenRequest, sandbox: Sandbox): ExampleRequest {
  const path = url.slice(sandbox.url.length);
  const contentType = headers.get('content-type') ?? undefined;
  return { method, path, contentType, body: typeof body === 'string' ? body : undefined };
}

function requestOf(
  call: ExampleCall,
  values: SavedValues,
  sandbox: Sandbox,
): WrittenRequest & { readonly url: string } {
  const [method, template] = call.call.split(/ (.*)/s);
  const path = String(at(['call'], () => values.fill(template)));
  const plane = call.plane === 'control' && !path.startsWith(CONTROL) ? CONTROL : '';
  const query = call.query === undefined ? '' : stringify(at(['query'], () => values.fill(call.query ?? null)));
  const url = `${sandbox.url}${plane}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;
  const own = credentials(sandbox, call.plane === 'control');
  // If the call sets a key header itself, none of the world's key headers are added.
  const bringsKey = Object.keys(call.headers ?? {}).some((name) => Object.hasOwn(own, name.toLowerCase()));
  const headers = new Headers(bringsKey ? {} : own);
  let body: string | Uint8Array<ArrayBuffer> | undefined;
  if (call.form !== undefined) {
    body = stringify(at(['form'], () => values.fill(call.form ?? null)));
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
  } else if (call.json !== undefined) {
    body = JSON.stringify(at(['json'], () => values.fill(call.json ?? null)));
    headers.set('Content-Type', 'application/json');
  } else if (call.parts !== undefined) {
    const parts = at(['parts'], () => values.fill(call.parts as unknown as Json)) as unknown as JsonObject[];
    const made = multipartOf(parts.map(examplePart));
    body = new Uint8Array(made.body);
    headers.set('Content-Type', made.type);
  } else if (call.raw !== undefined) {
    const raw = at(['raw'], () => values.fill(call.raw as unknown as Json)) as unknown as JsonObject;
    body = new Uint8Array(bytesIn(raw));
    headers.set('Content-Type', String(raw['type'] ?? 'application/octet-stream'));
  }
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    const text = String(at(['headers', name], () => values.fill(value)));
    if (text === '') headers.delete(name);
    else headers.set(name, text);
  }
  return { url, method, headers, body };
}

/** Returns the key's headers in the vendor's scheme; for the control API always a bearer token. */
function credentials({ key, engine }: Sandbox, control: boolean): Record<string, string> {
  return keyHeaders(engine.model.settings.auth, key, control);
}

function stringify(value: Json): string {
  return isObject(value) ? qs.stringify(value) : '';
}

function bodyOf(text: string): Json {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
