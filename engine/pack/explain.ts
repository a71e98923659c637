import type { ProblemCode } from '../codes.js';
import type { ErrorObject } from 'ajv';
import type { DataPath } from './source.js';
import { suggest } from './suggest.js';
import { isRecord } from '../values/index.js';

/** An Ajv error with the path of its data. */
export interface LocatedText {
  readonly error: ErrorObject;
  readonly path: DataPath;
}

/** A problem at a path in a file's data. */
export interface FileProblem {
  readonly path: DataPath;
  readonly at: 'key' | 'value';
  readonly code: ProblemCode;
  readonly message: string;
  readonly suggestion?: string;
  /** Alternative keys of which at least one is required. */
  readonly missing?: readonly string[];
}

/** Describes an Ajv error in terms of the pack language. */
export function explainSchemaError(error: ErrorObject, path: DataPath): FileProblem {
  const { keyword, propertyName, schema, data } = error;
  const title = textOf(error.parentSchema?.['title'], 'this');
  const value = (code: ProblemCode, message: string, suggestion?: string): FileProblem => ({
    path,
    at: 'value',
    code,
    message,
    suggestion,
  });
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey(error, path, title);
    case 'required': {
      const key = textOf(param(error, 'missingProperty'), '');
      return { path, at: 'key', code: 'missing-key', message: `${title} needs the key '${key}'`, missing: [key] };
    }
    case 'dependencies': {
      const [key, wanted] = [textOf(param(error, 'property'), ''), textOf(param(error, 'missingProperty'), '')];
      const message = `'${key}' needs the key '${wanted}' beside it`;
      return { path: [...path, key], at: 'key', code: 'missing-key', message, missing: [wanted] };
    }
    case 'anyOf': {
      const keys = alternatives(schema);
      return {
        path,
        at: 'key',
        code: 'missing-key',
        message: `${title} needs ${orList(keys.map((key) => `'${key}'`))}`,
        missing: keys,
      };
    }
    case 'type': {
      // A title with an example, such as `duration, like 30s`, is more helpful than the type.
      const what = title.includes(', like ') ? article(title) : orList(typeNames(schema));
      const seconds = title.startsWith('duration') && typeof data === 'number' ? `${data}s` : undefined;
      return value('wrong-type', `${subject(path)} must be ${what}, not ${kindOf(data)}`, seconds);
    }
    case 'enum':
    case 'const': {
      const allowed = (Array.isArray(schema) ? (schema as readonly unknown[]) : [schema]).map(String);
      const list = allowed.length === 1 ? `can only be ${allowed[0]}` : `must be one of ${allowed.join(', ')}`;
      return value('invalid-value', `${subject(path)} ${list}, not ${shown(data)}`, suggest(shownRaw(data), allowed));
    }
    case 'pattern':
    case 'format': {
      const what = keyword === 'format' ? 'regular expression' : title;
      if (propertyName === undefined) return value('invalid-value', `${shown(data)} is not ${article(what)}`);
      const message = `the key '${propertyName}' is not ${article(what)}`;
      return { path: [...path, propertyName], at: 'key', code: 'invalid-value', message };
    }
    case 'minLength':
      return value('invalid-value', `${subject(path)} must not be empty`);
    case 'minItems':
    case 'minProperties': {
      const least = Number(param(error, 'limit'));
      return value(
        'invalid-value',
        `${subject(path)} needs at least ${least === 1 ? 'one entry' : `${least} entries`}`,
      );
    }
    case 'uniqueItems': {
      const index = Number(param(error, 'i'));
      return { ...value('invalid-value', `${subject(path)} has the same entry twice`), path: [...path, index] };
    }
    case 'minimum':
      return value('invalid-value', `${subject(path)} must be at least ${String(param(error, 'limit'))}`);
    case 'maximum':
      return value('invalid-value', `${subject(path)} must be at most ${String(param(error, 'limit'))}`);
    default:
      return value('invalid-value', `${subject(path)} ${error.message ?? 'is not right'}`);
  }
}

/** Length limit of a list of keys in a message, in characters. */
const SPELLED_OUT = 40;

function unknownKey(error: ErrorObject, path: DataPath, title: string): FileProblem {
  const key = textOf(param(error, 'additionalProperty'), '');
  const properties: unknown = error.parentSchema?.['properties'];
  const known = isRecord(properties) ? Object.keys(properties) : [];
  const given = isRecord(error.data) ? error.data : {};
  const free = known.filter((each) => !Object.hasOwn(given, each));
  const suggestion = suggest(key, free);
  const hint = suggestion === undefined && known.length <= SPELLED_OUT ? `, which takes ${known.join(', ')}` : '';
  return {
    path: [...path, key],
    at: 'key',
    code: 'unknown-key',
    message: `unknown key '${key}' in ${title}${hint}`,
    suggestion,
  };
}

/** Lists the keys in the branches of `anyOf: [{required: [a]}, {required: [b]}]`. */
function alternatives(schema: unknown): string[] {
  const branches: readonly unknown[] = Array.isArray(schema) ? schema : [];
  return branches.flatMap((branch) =>
    isRecord(branch) && Array.isArray(branch['required']) ? branch['required'].map(String) : [],
  );
}

function subject(path: DataPath): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  if (typeof last === 'string') return `'${last}'`;
  const list = path.findLast((step) => typeof step === 'string');
  return list === undefined ? `entry ${last + 1}` : `entry ${last + 1} of '${list}'`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a map',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
};

function typeNames(schema: unknown): string[] {
  const types: readonly unknown[] = Array.isArray(schema) ? schema : [schema];
  return types.filter((type) => type !== 'null').map((type) => TYPE_NAMES[String(type)] ?? String(type));
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  return TYPE_NAMES[Array.isArray(value) ? 'array' : typeof value] ?? typeof value;
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value);
  // An expression is shown in its short form, `=text`.
  return `'${shownRaw(value.replace(/^\$\{([^{}]*)\}$/, '=$1'))}'`;
}

function shownRaw(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

function param(error: ErrorObject, name: string): unknown {
  const params: unknown = error.params;
  return isRecord(params) ? params[name] : undefined;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
