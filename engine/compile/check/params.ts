import { keyIn, type OperationFile, type Schema } from '../../model/index.js';
import { fileOf, type Operation } from '../../program/index.js';
import { isList, isObject, type Json } from '../../values/index.js';
import { USES } from '../../pack/index.js';
import type { CompiledPack } from '../pack.js';

/**
 * Warns of parameters that nothing reads: calls that send them would succeed as if they had an effect. Names count if the
 * operation or pack.yaml uses them and, where `params` is passed on as a whole, if anything that could receive it does.
 */
export function checkParams(pack: CompiledPack): void {
  const { model } = pack;
  const ofPack = namedParams(model.packPlace.file.data);
  const everywhere = new Set<string>();
  for (const { kind, data } of model.source.files) if (!USES.has(kind)) namesIn(withoutParams(data), everywhere);
  for (const operation of pack.operations) {
    const file = fileOf(operation);
    if (file?.params === undefined) continue;
    const { params, description: _, ...rest } = file;
    const data = rest as Json;
    const own = namesIn(data, new Set(), READ);
    const isPassedOn = passesOn(data);
    const stored = isPassedOn || isPlain(operation, file) ? operation.resource.schema.fields : null;
    const inPath = new Set(operation.routes.flatMap(({ names }) => names));
    for (const name of Object.keys(params)) {
      const schema = operation.params().get(name);
      if (schema === undefined || schema.effect !== undefined || isConstant(schema)) continue;
      if (inPath.has(name) || stored?.has(name) === true) continue;
      if (own.has(name) || ofPack.has(name) || (isPassedOn && everywhere.has(name))) continue;
      model.diagnostics.warning(
        keyIn(operation.resource.place, 'operations', operation.name, 'params', name),
        'unused-parameter',
        `nothing reads '${name}' of '${operation.name}': read it, or say \`effect: none\` (calls that send it are reported) or \`effect: hint\``,
      );
    }
  }
}

/** Whether the parameter has only one value, so that reading it is pointless. */
function isConstant(schema: Schema): boolean {
  return schema.kind === 'const' || (schema.kind === 'enum' && schema.values.length === 1);
}

/** Whether parameters become the fields of the same names. */
function isPlain({ kind }: Operation, file: OperationFile): boolean {
  return file.do === undefined && (kind === 'create' || kind === 'update');
}

/** Whether an expression passes on `params` as a whole. */
function passesOn(data: Json): boolean {
  if (typeof data === 'string') return /\bparams\b(?!\??\.\w|\[['"])/.test(data);
  if (isList(data)) return data.some(passesOn);
  return isObject(data) && Object.values(data).some(passesOn);
}

/** A file of a pack without its declarations of parameters. */
function withoutParams(data: Json): Json {
  if (!isObject(data)) return data;
  const { params: _, operations, ...rest } = data;
  if (!isObject(operations)) return rest;
  return { ...rest, operations: Object.values(operations).map((each) => withoutParams(each)) };
}

/** Keys in pack.yaml whose values are names of parameters that the engine reads. */
const NAMING = /^(?:param|params|parameter|parameters|request_params|beside|query)$/;

/** Returns the names of parameters that pack.yaml mentions. */
function namedParams(data: Json): Set<string> {
  const found = namesIn(data, new Set(), READ);
  const walk = (value: Json): void => {
    if (isList(value)) value.forEach(walk);
    else if (isObject(value))
      for (const [key, each] of Object.entries(value)) {
        if (NAMING.test(key)) namesIn(each, found);
        else walk(each);
      }
  };
  walk(data);
  return found;
}

const WORD = /([A-Za-z_][\w-]*)/g;

/** A parameter that an expression reads. */
const READ = /\bparams(?:\??\.|\[['"])([\w-]+)/g;

/** Names in texts other than descriptions; keys count too if `name` is WORD. */
function namesIn(data: Json, found = new Set<string>(), name = WORD): Set<string> {
  if (typeof data === 'string') for (const [, each] of data.matchAll(name)) found.add(each);
  else if (isList(data)) for (const each of data) namesIn(each, found, name);
  else if (isObject(data))
    for (const [key, each] of Object.entries(data)) {
      if (key === 'description' && isProse(each)) continue;
      if (name === WORD) found.add(key);
      namesIn(each, found, name);
    }
  return found;
}

function isProse(data: Json): boolean {
  return typeof data === 'string' && !data.includes('${');
}
