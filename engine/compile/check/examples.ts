import { isObject, type Json, type JsonObject } from '../../values/index.js';
import { inside, type SourceLocation } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';
import { servedAt } from '../routes.js';

/** Names that example calls may use although no earlier call saved them. */
const GIVEN = ['receiver', 'url', 'key', 'it', 'now', 'vars'];

const CONTROL_PATH = '/__admin__';

/** Reports example calls of unknown routes, and names in them that no earlier call saved. */
export function checkExamples(pack: CompiledPack): void {
  const { model } = pack;
  const endpoints = ['/mcp', ...(pack.graphql === null ? [] : [pack.graphql.path])];
  const routes = [
    ...pack.operations.flatMap(({ routes: own }) => own.flatMap((route) => servedAt(route, model))),
    ...endpoints.map((path) => ({ method: 'POST', path })),
  ];
  const named = new Map<string, string>();
  for (const file of model.source.all('example')) {
    const data = file.data as { readonly example: string; readonly calls: readonly Json[] };
    const place: SourceLocation = { file, path: [] };
    const sameName = named.get(data.example);
    if (sameName !== undefined)
      model.diagnostics.problem(inside(place, 'example'), 'duplicate-example', `${sameName} has the same name`);
    named.set(data.example, file.path);
    const saved = new Set<string>(GIVEN);
    for (const [index, call] of data.calls.entries()) {
      if (!isObject(call)) continue;
      const at = inside(place, 'calls', index);
      checkNames(call, at, saved, pack);
      checkChoices(call, at, pack);
      if (call['plane'] !== 'control' && expectsToBeFound(call))
        checkRoute(String(call['call']), inside(at, 'call'), routes, pack);
      for (const name of Object.keys(isObject(call['save'] ?? null) ? (call['save'] as object) : {})) saved.add(name);
    }
  }
}

const SCENARIO_HEADER = 'x-mock-scenario';

/** Checks the scenario that a call selects and the cause that it fires. */
function checkChoices(call: JsonObject, place: SourceLocation, pack: CompiledPack): void {
  const { diagnostics } = pack.model;
  if (typeof call['expect'] === 'object' && !expectsToBeFound(call)) return;
  for (const [header, value] of Object.entries(mapOf(call['headers']))) {
    const plain = typeof value === 'string' && !value.includes('${');
    if (header.toLowerCase() !== SCENARIO_HEADER || !plain || pack.scenarios().has(value)) continue;
    diagnostics.unknown(inside(place, 'headers', header), 'scenario', value, pack.scenarios().keys());
  }
  const { cause } = mapOf(call['json']) as { readonly cause?: Json };
  if (call['plane'] !== 'control' || call['call'] !== 'POST /world/events' || typeof cause !== 'string') return;
  if (!cause.includes('${')) diagnostics.known(inside(place, 'json', 'cause'), 'cause', cause, pack.causes);
}

function mapOf(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

/** Whether a call must match a route; false if the example expects the error for an unknown route. */
function expectsToBeFound(call: { readonly [key: string]: Json }): boolean {
  const expect = call['expect'];
  const status = isObject(expect ?? null) ? (expect as { readonly status?: Json }).status : undefined;
  return status !== 404 && status !== 405;
}

function checkRoute(
  call: string,
  place: SourceLocation,
  routes: readonly { readonly method: string; readonly path: string }[],
  { model }: CompiledPack,
): void {
  const [method, target] = call.split(/ (.*)/s);
  const path = target.split('?')[0];
  if (path.startsWith(CONTROL_PATH)) return;
  const segments = path.split('/');
  const fits = (route: string): boolean => {
    const open = /\{\w+\+\}$/.test(route);
    const parts = route.split('/');
    return (
      (parts.length === segments.length || (open && segments.length >= parts.length)) &&
      parts.every((part, i) => part.startsWith('{') || segments[i].includes('${') || part === segments[i])
    );
  };
  if (routes.some((route) => route.method === method && fits(route.path))) return;
  const known = routes.map((route) => `${route.method} ${route.path}`);
  const shape = `${method} ${segments.map((part) => (part.includes('${') ? '{id}' : part)).join('/')}`;
  model.diagnostics.problem(place, 'unknown-route', `the pack has no route ${shape}`, {
    suggestion: model.env.suggest(shape, known),
  });
}

/** Reports `${name...}` in the texts of a value if no earlier call saved the name. */
function checkNames(value: Json, place: SourceLocation, saved: ReadonlySet<string>, pack: CompiledPack): void {
  if (typeof value === 'string') {
    for (const { 0: part, 1: name, index } of value.matchAll(/(?<!\$)\$\{\s*([A-Za-z_]\w*)(?=\s*[}.[])/g)) {
      if (saved.has(name)) continue;
      const { diagnostics, env } = pack.model;
      diagnostics.problem(place, 'unknown-name', `no call before this one has saved '${name}'`, {
        offset: index + part.length - name.length,
        suggestion: env.suggest(name, saved),
      });
    }
  } else if (Array.isArray(value)) {
    (value as readonly Json[]).forEach((item, index) => checkNames(item, inside(place, index), saved, pack));
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) checkNames(item, inside(place, key), saved, pack);
  }
}
