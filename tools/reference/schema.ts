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

/** Reads `schemas/NAME.schema.json`. @param form `long`: of files whose short forms are written out */
export function readSchema(name: string, form: 'written' | 'long' = 'written'): FileSchema {
  const folder = join(installation(), 'schemas', ...(form === 'long' ? ['long'] : []));
  return JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')) as FileSchema;
}

/** A definition that a reference leads to. @param kind the schema in which the reference is */
export function resolveRef(ref: string, kind: string): { readonly kind: string; readonly name: string } {
  const [file, pointer] = ref.split('#/definitions/');
  return { kind: file === '' ? kind : file.replace('.schema.json', ''), name: pointer };
}

/**
 * The definitions of which the first key of a value chooses one, by that key: `allOf` of `if required KEY then $ref`.
 * Undefined for any other schema.
 */
export function choicesOf(schema: FileSchema): ReadonlyMap<string, string> | undefined {
  const choices = new Map<string, string>();
  for (const each of schema.allOf ?? []) {
    const [key] = each.if?.required ?? [];
    if (key === undefined || each.then?.$ref === undefined) return undefined;
    choices.set(key, each.then.$ref);
  }
  return choices.size > 0 ? choices : undefined;
}
