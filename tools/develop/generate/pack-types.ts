import { FILE_KINDS } from '../../../engine/pack/index.js';
import { choicesOf, readSchema, resolveRef, type FileSchema } from '../../reference/schema.js';

/** Schema definitions of a type, one for each place that a type is written. They allow different keys, yet share the TypeScript type `TypeFile`. */
const TYPES = ['type', 'field', 'param', 'filter', 'named_type'];

/** Definitions with a hand-written TypeScript type. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  template: 'Json',
  values: 'JsonObject',
  ...Object.fromEntries(TYPES.map((name) => [name, 'TypeFile'])),
};

/** Names for parts of a file that code refers to, by their paths. */
const PARTS: Readonly<Record<string, string>> = {
  'pack.lists': 'ListsFile',
  'pack.delivery': 'DeliveryFile',
  'pack.delivery.transports.*': 'TransportFile',
  'pack.outside[]': 'OutsideFile',
  'pack.rate_limits.*': 'RateLimitFile',
  'errors.errors.*': 'ErrorFile',
  'resource.events.*': 'EventFile',
  'resource.pins.*': 'PinFile',
  'definitions.operation.kind': 'OperationKind',
  'magic.families.*': 'MagicFamilyFile',
  'magic.families.*.values[]': 'MagicValueFile',
  'scenarios.scenarios[]': 'ScenarioFile',
  'version.changes[]': 'ChangeFile',
  'version.changes[].resources.*': 'ResourceChangeFile',
  'version.changes[].operations.*': 'OperationChangeFile',
  'example.calls[]': 'ExampleCall',
  'task.script[]': 'TaskEvent',
  'task.checks[]': 'TaskCheck',
  'task.agents.*': 'TaskAgent',
  'company.identities.*.*': 'CompanyIdentity',
};

const HEADER = `// Written by \`npm run types:pack\` from schemas/*.schema.yaml; a test compares. Change the schemas, not this file.
import type { Json, JsonObject } from '../values/index.js';

/*
 * The pack files as their JSON Schemas let them through. Linking reads these shapes only after a file passed its schema. They
 * are type aliases and no interfaces: only such types are known to be JSON, so that a file's data may be read as one of them.
 */
`;

/** Generates the TypeScript types of pack files, unformatted. */
export function packTypes(): string {
  const writer = new TypeWriter();
  writer.declareTypes();
  for (const kind of FILE_KINDS) writer.declare(fileName(kind), readSchema(kind, 'long'), kind, kind);
  return [HEADER, ...writer.finish()].join('\n');
}

/** Writes each named type once, after those that it refers to. */
class TypeWriter {
  readonly #declared = new Set<string>();
  readonly #texts: string[] = [];
  readonly #parts = new Set(Object.keys(PARTS));

  /** Declares a type and its dependencies, unless they are declared already. @param kind of the schema @param path in the schema */
  declare(name: string, schema: FileSchema, kind: string, path: string): void {
    if (this.#declared.has(name)) return;
    this.#declared.add(name);
    const choices = choicesOf(schema);
    const text = choices
      ? this.#union(name, schema, choices, kind)
      : declaration(name, schema, this.#type(schema, kind, path, true));
    this.#texts.push(text);
  }

  /** Declares `TypeFile`: a type in any of its forms, with the keys of all definitions. */
  declareTypes(): void {
    const { definitions = {} } = readSchema('definitions', 'long');
    const members = new Map<string, FileSchema>();
    for (const [key, each] of TYPES.flatMap((name) => Object.entries(definitions[`${name}_long`]?.properties ?? {}))) {
      const known = members.get(key) ?? each;
      if (this.#type(known, 'definitions', '') !== this.#type(each, 'definitions', ''))
        throw new Error(`'${key}' of one type is not '${key}' of another`);
      members.set(key, known);
    }
    const properties = Object.fromEntries(members);
    this.#texts.push(
      '/** A type in any of its forms: a name, `T?`, or a map. */',
      'export type TypeFile = string | LongTypeFile;\n',
      '/** A type as a map. Types, fields, parameters and filters each let a part of these keys through. */',
      `export type LongTypeFile = ${this.#object({ properties }, 'definitions', '')};\n`,
    );
  }

  /** Returns the declarations. @throws Error if a part in `PARTS` is in no schema */
  finish(): readonly string[] {
    if (this.#parts.size > 0) throw new Error(`no schema has ${[...this.#parts].join(', ')}`);
    return this.#texts;
  }

  /** Writes a union discriminated by a key, with a map of its members by that key. */
  #union(name: string, schema: FileSchema, choices: ReadonlyMap<string, string>, kind: string): string {
    const members = [...choices].map(([key, ref]) => `readonly ${key}: ${this.#ref(ref, kind)};`);
    const stem = name.replace(/File$/, '');
    return [
      `/** Every kind of ${stem.toLowerCase()}, by the key that says which it is. */`,
      `export type ${stem}Kinds = { ${members.join('\n')} };`,
      `export type ${stem}Kind = keyof ${stem}Kinds;`,
      declaration(name, schema, `${stem}Kinds[${stem}Kind]`),
    ].join('\n');
  }

  #type(schema: FileSchema, kind: string, path: string, declared = false): string {
    const part = PARTS[path];
    if (part !== undefined && !declared) {
      this.#parts.delete(path);
      this.declare(part, schema, kind, path);
      return part;
    }
    if (schema.$ref !== undefined) return this.#ref(schema.$ref, kind);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
    if (schema.if) return this.#either(schema, schema.if, kind, path);
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
    if (types.length === 0) return schema.additionalProperties ? this.#one('object', schema, kind, path) : 'Json';
    return types.map((type) => this.#one(type, schema, kind, path)).join(' | ');
  }

  #one(type: string, schema: FileSchema, kind: string, path: string): string {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'number':
      case 'integer':
        return 'number';
      case 'array':
        return schema.items ? `readonly (${this.#type(schema.items, kind, `${path}[]`)})[]` : 'readonly Json[]';
      case 'object':
        return this.#object(schema, kind, path);
      default:
        throw new Error(`${path}: there is no type for '${type}'`);
    }
  }

  #object(schema: FileSchema, kind: string, path: string): string {
    const { properties, additionalProperties: rest } = schema;
    if (properties) {
      const members = Object.entries(properties).map(([key, each]) => {
        const optional = schema.required?.includes(key) ? '' : '?';
        return `${comment(each)}readonly ${key}${optional}: ${this.#type(each, kind, `${path}.${key}`)};`;
      });
      return `{ ${members.join('\n')} }`;
    }
    return typeof rest === 'object' ? `Readonly<Record<string, ${this.#type(rest, kind, `${path}.*`)}>>` : 'JsonObject';
  }

  /** Writes a union of two types, discriminated by JSON type or by a key. */
  #either(schema: FileSchema, test: FileSchema, kind: string, path: string): string {
    const yes = this.#type({ type: test.type, ...schema.then }, kind, path);
    const types = Array.isArray(schema.type) ? (schema.type as readonly string[]) : [];
    const otherwise = { type: types.filter((type) => type !== test.type), ...schema.else };
    return `${yes} | ${this.#type(otherwise, kind, path)}`;
  }

  #ref(ref: string, from: string): string {
    const { kind, name } = resolveRef(ref, from);
    const known = kind === 'definitions' ? WELL_KNOWN[name] : undefined;
    if (known !== undefined) return known;
    const schema = readSchema(kind, 'long').definitions?.[name];
    if (schema === undefined) throw new Error(`nothing is called ${ref}`);
    if (!schema.properties && !schema.if && !choicesOf(schema)) return this.#type(schema, kind, `${kind}.${name}`);
    const declared = definitionName(kind, name);
    this.declare(declared, schema, kind, `${kind}.${name}`);
    return declared;
  }
}

function declaration(name: string, schema: FileSchema, type: string): string {
  return `${comment(schema)}export type ${name} = ${type};\n`;
}

function comment({ description }: FileSchema): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}

/** Returns the type name for a kind of file: `PackFile`, `CausesFile`. */
function fileName(kind: string): string {
  return `${pascal(kind)}File`;
}

/** Returns the type name of a definition: `LetStep`, `OperationFile`. Definitions for one kind of file include its name: `PagePartFile`. */
function definitionName(kind: string, name: string): string {
  if (name.endsWith('_step')) return pascal(name);
  return `${kind === 'definitions' ? '' : pascal(kind)}${pascal(name)}File`;
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
