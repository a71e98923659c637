import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as AjvModule from 'ajv';
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import type { Json } from '../values/index.js';
import { hashOf } from './cache.js';
import { installationFolder } from './installation.js';
import { FILE_KINDS, type FileKind } from './pack-files.js';

/** The JSON Schemas of pack files whose short forms are written out: read at once, compiled each when first needed. */
export class PackSchemas {
  /** Changes when any schema does. */
  readonly hash: string;
  readonly #texts: ReadonlyMap<string, string>;
  #ajv: AjvModule.Ajv | undefined;

  constructor(folder = join(installationFolder(), 'schemas', 'long')) {
    const names = ['definitions', ...FILE_KINDS].map((kind) => `${kind}.schema.json`);
    this.#texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    this.hash = hashOf([...this.#texts.values()]);
  }

  /** What JSON Schema says against the data of a file, with the schema and data of each complaint. */
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

  /** Ajv takes about as long to load as a whole start may last; a pack known to be valid never gets here. */
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

/** Whether a text is a regular expression of ECMAScript (flag `u`). */
export function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
