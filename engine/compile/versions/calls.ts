import { type Json, type JsonObject, putAt } from '../../values/index.js';
import { accepts, describeType, type Host } from '../../expression/index.js';
import {
  inside,
  keyIn,
  type OperationChangeFile,
  parseParams,
  parseSchema,
  type SourceLocation,
  type Schema,
  schemaAt,
  typeOfFields,
} from '../../model/index.js';
import type { Operation, VersionCall } from '../../program/index.js';
import { type Compiler, functionScope } from '../context.js';
import { removeField } from './fields.js';

/** How a moved parameter becomes values of the operation's own parameters. */
interface Move {
  /** The operation's parameters that get the moved value. */
  readonly targets: readonly string[];
  run(host: Host, value: Json): (readonly [readonly string[], Json])[];
}

/** The parameters of an operation in a version, and how they become those of the next version. */
export interface LinkedCall extends VersionCall {
  readonly moves: ReadonlyMap<string, Move>;
}

/** The parameters of an operation after a change. @param before its parameters before the change; undefined: its own */
export function changedCall(
  operation: Operation,
  before: LinkedCall | undefined,
  change: OperationChangeFile,
  place: SourceLocation,
  compiler: Compiler,
): LinkedCall {
  const { diagnostics, model } = compiler;
  const params = new Map(before?.params ?? operation.params());
  const moves = new Map(before?.moves);
  const rejected = new Map(before?.rejected);
  const there = (name: string, at: SourceLocation): boolean => {
    if (!params.has(name)) return false;
    diagnostics.problem(keyIn(at), 'duplicate-parameter', `the version before has a parameter '${name}' already`);
    return true;
  };
  (change.remove ?? []).forEach((path, index) => {
    removeField(params, path, 'parameter', inside(place, 'remove', index), diagnostics);
    if (!path.includes('.')) moves.delete(path);
  });
  for (const [old, name] of Object.entries(change.rename ?? {})) {
    const at = inside(place, 'rename', old);
    const schema = diagnostics.find(keyIn(at), 'parameter', old, params);
    if (schema)
      if (!there(name, at)) {
        params.delete(old);
        params.set(name, schema);
        moves.set(name, moves.get(old) ?? { targets: [old], run: (_host, value) => [[[old], value]] });
        moves.delete(old);
      }
  }
  for (const [name, schema] of parseParams(change.add, inside(place, 'add'), model.context))
    if (!there(name, inside(place, 'add', name))) params.set(name, schema);
  for (const [name, file] of Object.entries(change.move ?? {})) {
    const at = inside(place, 'move', name);
    const schema = parseSchema(file.as, inside(at, 'as'), model.context);
    params.set(name, schema);
    moves.set(name, linkMove(operation, name, schema, file.to, inside(at, 'to'), compiler));
  }
  for (const [name, error] of Object.entries(change.refuse ?? {})) {
    const at = inside(place, 'refuse', name);
    diagnostics.known(keyIn(at), 'parameter', name, params);
    diagnostics.known(at, 'error', error, model.errors);
    compiler.used.errors.add(error);
    rejected.set(name, error);
  }
  const names = new Map([...moves].flatMap(([name, { targets }]) => targets.map((target) => [target, name])));
  return {
    params,
    moves,
    rejected,
    translate: (host, given) => translate(moves, host, given),
    sent: (given, translated) => sentNames(moves, given, translated),
    nameOf: (own) => names.get(own) ?? own,
  };
}

/** Returns the parameters that a version's changes add to an operation. */
export function addedParams(
  changes: readonly (readonly [OperationChangeFile, SourceLocation])[],
  { model }: Compiler,
): Map<string, Schema> {
  return new Map(changes.flatMap(([{ add }, place]) => [...parseParams(add, inside(place, 'add'), model.context)]));
}

function linkMove(
  operation: Operation,
  name: string,
  schema: Schema,
  to: Readonly<Record<string, Json>>,
  place: SourceLocation,
  { model, diagnostics }: Compiler,
): Move {
  const own = {
    kind: 'object',
    fields: operation.params(),
    expr: typeOfFields(operation.params()),
    nullable: false,
    place,
  } as const;
  const targets = Object.entries(to).map(([path, template]) => {
    const at = inside(place, path);
    const keys = path.split('.');
    const seen = { value: schema.expr };
    const { scope, unit, parameters } = functionScope(`${name} of ${operation.key}`, at, model.env, seen);
    const { js, type } = diagnostics.template(at, template, scope, model.env);
    const target = schemaAt(own, keys);
    if (!target) diagnostics.unknown(keyIn(at), 'parameter', path, operation.params().keys());
    else if (!accepts(target.expr, type))
      diagnostics.problem(at, 'wrong-type', `'${path}' is ${describeType(target.expr)}, not ${describeType(type)}`);
    return { keys, run: unit.function<(host: Host, value: Json) => Json>(parameters, [`return ${js};`]) };
  });
  return {
    targets: targets.map(({ keys }) => keys[0]),
    run: (host, value) => targets.map(({ keys, run }) => [keys, run(host, value)]),
  };
}

/** The names of the operation's own parameters that were sent, including targets of moved ones. */
function sentNames(moves: ReadonlyMap<string, Move>, given: JsonObject, params: JsonObject): JsonObject {
  const sent = [...moves].filter(([name]) => Object.hasOwn(given, name));
  if (sent.length === 0) return given;
  const made: Record<string, Json> = { ...given };
  for (const [name] of sent) delete made[name];
  for (const target of sent.flatMap(([, { targets }]) => targets))
    if (Object.hasOwn(params, target)) made[target] = params[target];
  return made;
}

function translate(moves: ReadonlyMap<string, Move>, host: Host, given: JsonObject): JsonObject {
  const sent = [...moves].filter(([name]) => Object.hasOwn(given, name));
  if (sent.length === 0) return given;
  const made: Record<string, Json> = { ...given };
  for (const [name] of sent) delete made[name];
  for (const [name, move] of sent) {
    for (const [[first, ...below], value] of move.run(host, given[name])) {
      // If the translation of a parameter returns null, the target counts as missing, unless the caller sent null.
      if (value === null && given[name] !== null) continue;
      made[first] = below.length === 0 ? value : putAt(made[first] ?? {}, below, value);
    }
  }
  return made;
}
