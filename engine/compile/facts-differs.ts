import type { FactsFile, TypeFile } from '../model/index.js';
import { type Json, type JsonObject } from '../values/index.js';

type Differences = NonNullable<FactsFile['differs']>;
type Params = Readonly<Record<string, TypeFile>>;
type Rule = Differences[number]['rules'][number];

/** Returns an operation's documented parameters without the rules that the vendor doesn't enforce according to `differs`. */
export function enforced(params: Params, route: string, differs: Differences): Params {
  const here = differs.filter(({ operations }) => operations === undefined || operations.includes(route));
  if (here.length === 0) return params;
  const made: Record<string, TypeFile> = { ...params };
  for (const { params: paths, rules } of here)
    for (const path of paths) {
      const [name, ...rest] = path.split('.');
      if (Object.hasOwn(made, name)) made[name] = relaxed(made[name], rest, rules);
    }
  return made;
}

/** Whether `differs` lists a rule of the document. */
export function differsIn(differs: Differences, route: string, path: string, rule: Rule): boolean {
  return differs.some(
    ({ params, rules, operations }) =>
      params.includes(path) && rules.includes(rule) && operations?.includes(route) !== false,
  );
}

function relaxed(file: TypeFile, path: readonly string[], rules: readonly Rule[]): TypeFile {
  const long: JsonObject = typeof file === 'string' ? { type: file } : file;
  const [name, ...rest] = path;
  if (name === undefined) return asFile(rules.reduce(withoutRule, long));
  if ('items' in long) return asFile({ ...long, items: relaxed(asFile(long['items']), path, rules) as Json });
  const fields = (long['fields'] ?? {}) as JsonObject;
  if (!Object.hasOwn(fields, name)) return file;
  return asFile({ ...long, fields: { ...fields, [name]: relaxed(asFile(fields[name]), rest, rules) as Json } });
}

function withoutRule(file: JsonObject, rule: Rule): JsonObject {
  const isList = 'items' in file || file['type'] === 'array';
  const isText = file['type'] === 'string' || file['type'] === 'string?';
  switch (rule) {
    case 'required':
      return without(file, 'required');
    case 'type':
      return { type: 'any', ...(file['required'] === true ? { required: true } : {}) };
    case 'enum':
      return 'enum' in file ? { ...without(file, 'enum'), type: 'string' } : file;
    case 'minimum':
      return isList || isText ? file : without(file, 'min');
    case 'min_length':
      return isText ? without(file, 'min') : file;
    case 'maximum':
      return isList ? file : without(file, 'max');
    case 'items':
      return isList ? without(without(file, 'min'), 'max') : file;
    case 'max_length':
    case 'pattern':
      return without(file, rule);
    case 'unknown':
      return file;
  }
}

function without(file: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(file).filter(([name]) => name !== key));
}

function asFile(value: Json): TypeFile {
  return value as unknown as TypeFile;
}
