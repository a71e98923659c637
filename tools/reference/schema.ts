import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installation } from '../command/installation.js';

/** The parts of JSON Schema that the schemas of pack files use. */
export interface FileSchema {
  readonly title?: string;
  readonly description?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, FileSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FileSchema;
  readonly items?: FileSchema;
  readonly anyOf?: readonly FileSchema[];
  readonly oneOf?: readonly FileSchema[];
  readonly allOf?: readonly FileSchema[];
  readonly if?: FileSchema;
  readonly then?: FileSchema;
  readonly else?: FileSchema;
  readonly definitions?: Readonly<Record<string, FileSchema>>;
}

/** Reads `schemas/NAME.schema.json`. @param form `long`: for files in the long form */
export function readSchema(name: string, form: 'written' | 'long' = 'written'): FileSchema {
  const folder = join(installation(), 'schemas', ...(form === 'long' ? ['long'] : []));
  return JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')) as FileSchema;
}

/** Finds the definition that a reference names. @param kind the schema with the reference */
export function resolveRef(ref: string, kind: string): { readonly kind: string; readonly name: string } {
  const [file, pointer] = ref.split('#/definitions/');
  return { kind: file === '' ? kind : file.replace('.schema.json', ''), name: pointer };
}

/** Finds the definitions in a schema that selects one by a key: `allOf` of `if required KEY then $ref`. Undefined for other schemas. */
export function choicesOf(schema: FileSchema): ReadonlyMap<string, string> | undefined {
  const choices = new Map<string, string>();
  for (const each of schema.allOf ?? []) {
    const [key] = each.if?.required ?? [];
    if (key === undefined || each.then?.$ref === undefined) return undefined;
    choices.set(key, each.then.$ref);
  }
  return choices.size > 0 ? choices : undefined;
}
