import type { CompiledPack } from '../../engine/compile/index.js';
import { isList, isObject, type Json } from '../../engine/values/index.js';
import type { OperationFile } from '../../engine/model/index.js';
import type { Operation } from '../../engine/program/index.js';
import { type DataPath, type SourceFile, suggest } from '../../engine/pack/index.js';
import { moment, operationSection } from './resource.js';

/** Describes a name in a pack: an operation, an error, an event, an external event, a flow or a duration. Undefined if it doesn't exist. */
export function nameReference(pack: CompiledPack, name: string): string | undefined {
  const found = [
    ...pack.operations
      .filter(({ key, routes }) => key === name || routes.some(({ method, path }) => `${method} ${path}` === name))
      .map((operation) => operationText(pack, operation)),
    ...errorText(pack, name),
    ...eventText(pack, name),
    ...flowText(pack, name),
    ...causeText(pack, name),
    ...durationText(pack, name),
  ];
  const all = found.length > 0 ? found : errorsSaying(pack, name).flatMap((each) => errorText(pack, each));
  return all.length === 0 ? undefined : all.join('\n\n');
}

/** Finds errors whose body contains a text, since clients show the vendor's code or message instead of the pack's name. */
function errorsSaying({ model }: CompiledPack, text: string): string[] {
  const file = model.source.one('errors');
  if (!isObject(file?.data)) return [];
  const { errors } = file.data as { readonly errors: Readonly<Record<string, { readonly body?: Json }>> };
  return Object.keys(errors).filter((name) => textsOf(errors[name].body ?? null).includes(text));
}

function textsOf(value: Json): Json[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [value];
}

/** Finds the most similar name that the pack declares. */
export function nearest(pack: CompiledPack, name: string): string | undefined {
  return suggest(name, [
    ...pack.operations.map(({ key }) => key),
    ...pack.model.errors.keys(),
    ...pack.eventTypes,
    ...pack.flows.keys(),
    ...pack.causes.keys(),
    ...pack.model.settings.durations.keys(),
  ]);
}

function operationText(pack: CompiledPack, operation: Operation): string {
  const { place } = operation.resource;
  const { operations } = operation.resource.file;
  const path = Array.isArray(operations)
    ? ['operations', (operations as readonly string[]).indexOf(operation.name)]
    : ['operations', operation.name];
  const steps = Array.isArray(operations)
    ? []
    : (operations as Readonly<Record<string, OperationFile>>)[operation.name].do;
  const runs = runsBelow(pack, steps ?? [], 1, new Set());
  return [
    ...operationSection(operation, pack.model),
    excerpt(`${operation.key} is written at`, place.file, path),
    ...(runs.length > 0 ? ['it runs:', ...runs] : []),
  ].join('\n');
}

/** Lists the flows that steps run, in order, each with its location and, indented, the flows that it runs. Each is expanded once. */
function runsBelow(pack: CompiledPack, steps: readonly Json[], depth: number, seen: Set<string>): string[] {
  return [...namesRun(steps)].flatMap((name) => {
    const flow = pack.flows.get(name);
    if (!flow) return [];
    const { file, path } = flow.place;
    const line = `${'  '.repeat(depth)}${name}  ${file.path}:${file.locate(path, 'key').line}`;
    if (seen.has(name)) return [line];
    seen.add(name);
    return [line, ...runsBelow(pack, flow.steps, depth + 1, seen)];
  });
}

/** Finds the flows that `run` steps name, at any depth. */
function namesRun(value: Json): Set<string> {
  const found = new Set<string>();
  const look = (each: Json): void => {
    if (isList(each)) each.forEach(look);
    else if (isObject(each)) {
      if (typeof each['run'] === 'string') found.add(each['run']);
      Object.values(each).forEach(look);
    }
  };
  look(value);
  return found;
}

function errorText({ model }: CompiledPack, name: string): string[] {
  const error = model.errors.get(name);
  if (!error) return [];
  const uses = model.source.files.flatMap((file) =>
    usesIn(file, new RegExp(`\\b(?:fail|error):\\s*["']?${name}\\b`, 'g')),
  );
  return [
    [
      excerpt(`error ${name}`, error.place.file, error.place.path),
      ...(uses.length > 0 ? ['raised at:', ...uses.map((use) => `  ${use}`)] : ['raised by the engine']),
    ].join('\n'),
  ];
}

function eventText({ model, compiler }: CompiledPack, name: string): string[] {
  const owner = compiler.eventOwners.get(name);
  const file = owner?.file.events?.[name];
  if (!owner || !file) return [];
  const emits = model.source.files.flatMap((each) =>
    usesIn(each, new RegExp(`\\bemit:\\s*["']?${name.replaceAll('.', '\\.')}\\b`, 'g')),
  );
  const text = `event ${name} of ${owner.collection}: emitted when ${moment(file).replaceAll('`', '')}`;
  return [
    [text, excerpt('declared at', owner.place.file, ['events', name]), ...emits.map((use) => `emitted at ${use}`)].join(
      '\n',
    ),
  ];
}

function flowText({ flows }: CompiledPack, name: string): string[] {
  const place = flows.get(name)?.place;
  return place ? [excerpt(`flow ${name}`, place.file, place.path)] : [];
}

function causeText({ model }: CompiledPack, name: string): string[] {
  const file = model.source.one('causes');
  const known = file !== undefined && Object.hasOwn((file.data as { readonly causes: object }).causes, name);
  return known ? [excerpt(`external event ${name}`, file, ['causes', name])] : [];
}

function durationText({ model }: CompiledPack, name: string): string[] {
  const duration = model.settings.durations.get(name);
  if (!duration) return [];
  const uses = model.source.files.flatMap((file) =>
    file.kind === 'resource' || file.kind === 'flow' ? usesIn(file, new RegExp(`\\b${name}\\b`, 'g')) : [],
  );
  return [
    [
      `duration ${name}: ${duration.description || 'no description'}`,
      'waited for at:',
      ...uses.map((use) => `  ${use}`),
    ].join('\n'),
  ];
}

function usesIn(file: SourceFile, pattern: RegExp): string[] {
  return [...file.text.matchAll(pattern)].map(({ index }) => {
    const { line } = file.position(index);
    return `${file.path}:${line}  ${file.text.split('\n')[line - 1].trim()}`;
  });
}

/** Maximum number of lines that an excerpt of YAML shows. */
const LINES = 60;

/** Returns the YAML at a location, to the end of its indented block. */
function excerpt(title: string, file: SourceFile, path: DataPath): string {
  const lines = file.text.split('\n');
  const from = path.length === 0 ? 0 : file.locate(path, 'key').line - 1;
  const indent = lines[from].search(/\S/);
  let to = from + 1;
  while (to < lines.length && (path.length === 0 || lines[to].trim() === '' || lines[to].search(/\S/) > indent)) to++;
  const shown = lines.slice(from, Math.min(to, from + LINES));
  return [`${title} ${file.path}:${from + 1}`, ...shown.map((line) => `  ${line.slice(Math.max(0, indent))}`)]
    .join('\n')
    .trimEnd();
}
