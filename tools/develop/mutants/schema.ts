import { isMap, isScalar, isSeq } from 'yaml';
import type { FileKind } from '../../../engine/pack/index.js';
import { type FileSchema, readSchema, resolveRef } from '../../reference/schema.js';

/** A schema, its file, and the definitions through which it was reached. */
interface Located {
  readonly schema: FileSchema;
  readonly file: string;
  readonly named: readonly string[];
}

const files = new Map<string, FileSchema>();

function fileOf(name: string): FileSchema {
  const schema = files.get(name) ?? readSchema(name);
  files.set(name, schema);
  return schema;
}

/** The schemas that apply to a location in a file. */
export class Declared {
  private constructor(private readonly all: readonly Located[]) {}

  /** Resolves the schema of a whole file. @param node parsed content of the file */
  static ofFile(kind: FileKind, node: unknown): Declared {
    return new Declared([...resolved({ schema: fileOf(kind), file: kind, named: [] }, node)]);
  }

  /** Returns the schema at a key of a map, and whether the key is a keyword of the language or a name chosen by the pack; null: neither. */
  atKey(key: string, node: unknown): { readonly at: Declared; readonly keyIs: 'word' | 'name' | null } {
    const words = this.all.flatMap((each) => inside(each, each.schema.properties?.[key]));
    const names = this.all.flatMap((each) => inside(each, each.schema.additionalProperties));
    const keyIs = words.length > 0 ? 'word' : names.length > 0 ? 'name' : null;
    const below = words.length > 0 ? words : names;
    return { at: new Declared(below.flatMap((each) => [...resolved(each, node)])), keyIs };
  }

  atItem(node: unknown): Declared {
    const items = this.all.flatMap((each) => inside(each, each.schema.items));
    return new Declared(items.flatMap((each) => [...resolved(each, node)]));
  }

  /** Whether the value has one of these JSON types, or one of these definitions (`expression`, `duration`). */
  is(...types: readonly string[]): boolean {
    return this.all.some(
      ({ schema, named }) =>
        types.some((type) => named.includes(type)) || [schema.type ?? []].flat().some((type) => types.includes(type)),
    );
  }

  /** Whether any value is allowed, since it is the vendor's data. */
  get isData(): boolean {
    return this.all.length === 0 || this.is('template');
  }

  /** Returns the allowed values of an enum. */
  get words(): readonly unknown[] {
    return this.all.flatMap(({ schema }) => schema.enum ?? []);
  }

  get required(): readonly string[] {
    return this.all.flatMap(({ schema }) => schema.required ?? []);
  }
}

function inside({ file }: Located, schema: FileSchema | boolean | undefined): Located[] {
  return typeof schema === 'object' ? [{ schema, file, named: [] }] : [];
}

/** Yields a schema and those that it refers to, as far as they apply to a value. */
function* resolved(given: Located, node: unknown): Iterable<Located> {
  const { schema, file, named } = given;
  yield given;
  if (schema.$ref !== undefined) {
    const { kind, name } = resolveRef(schema.$ref, file);
    const target = fileOf(kind).definitions?.[name];
    if (target) yield* resolved({ schema: target, file: kind, named: [...named, name] }, node);
  }
  const chosen = schema.if && (fits(schema.if, node) ? schema.then : schema.else);
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), chosen ?? []].flat())
    yield* resolved({ schema: each, file, named }, node);
}

/** Whether a value has the type and the required keys of a condition. */
function fits({ type, required = [] }: FileSchema, node: unknown): boolean {
  const own = isMap(node) ? 'object' : isSeq(node) ? 'array' : isScalar(node) ? typeof node.value : 'null';
  const isOfType = type === undefined || [type].flat().includes(own);
  return isOfType && required.every((key) => isMap(node) && node.has(key));
}
