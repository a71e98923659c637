import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as AjvModule from 'ajv';
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import type { Json } from '../values/index.js';
import { hashOf } from './cache.js';
import { installationFolder } from './installation.js';
import { FILE_KINDS, type FileKind } from './pack-files.js';

/** The JSON Schemas of pack files in the long form: read at once, each compiled on first use. */
export class PackSchemas {
  /** A hash of all schemas, which changes when any of them does. */
  readonly hash: string;
  readonly #texts: ReadonlyMap<string, string>;
  #ajv: AjvModule.Ajv | undefined;

  constructor() {
    const folder = join(installationFolder(), 'schemas', 'long');
    const names = ['definitions', ...FILE_KINDS].map((kind) => `${kind}.schema.json`);
    this.#texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    this.hash = hashOf([...this.#texts.values()]);
  }

  /** Returns the JSON Schema errors of a file's data, each with its schema and data. */
  errors(kind: FileKind, data: Json): readonly ErrorObject[] {
    const validate = this.#validator(kind);
    return validate(data) ? [] : (validate.errors ?? []);
  }

  #validator(kind: FileKind): ValidateFunction {
    this.#ajv ??= this.#compiler();
    const validate = this.#ajv.getSchema(`${kind}.schema.json`);
    if (!validate) throw new Error(`no schema for ${kind} files`);
    return validate;
  }

  /** Compiles schemas with Ajv, which is loaded on first use, since loading takes as long as a start. */
  #compiler(): AjvModule.Ajv {
    const { Ajv } = createRequire(import.meta.url)('ajv') as typeof AjvModule;
    const ajv = new Ajv({
      allErrors: true,
      verbose: true,
      strictTypes: false,
      strictRequired: false,
      validateSchema: false,
      formats: { regex: isRegularExpression },
    });
    for (const text of this.#texts.values()) ajv.addSchema(JSON.parse(text) as AnySchemaObject);
    return ajv;
  }
}

/** Whether a text is an ECMAScript regular expression (flag `u`). */
export function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
