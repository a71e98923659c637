import { attributesOf, rulesOf, type Schema, type SchemaKind } from '../model/index.js';

type Fields = ReadonlyMap<string, Schema>;
type Names = ReadonlySet<string>;

/**
 * Adds rules from the vendor's document to declared parameters. The pack has precedence: its types stay, and rules are added
 * where it has none.
 * @param known names that aren't parameters
 * @param read names that expressions read without a declaration; their values are kept
 * @param keeps whether undeclared values are kept, as in open objects
 */
export function completedSchema(
  declared: Fields,
  documented: Fields,
  { known, read, keeps = false }: { readonly known?: Names; readonly read?: Names; readonly keeps?: boolean } = {},
): Fields {
  const all = new Map(declared);
  for (const [name, fact] of documented) {
    const own = declared.get(name);
    if (own !== undefined) all.set(name, narrowed(own, fact));
    else if (!known?.has(name)) all.set(name, asFact(fact, keeps || read?.has(name) === true));
  }
  return all;
}

/** Types with objects that take further members, at any depth. */
export function withOpenObjects(fields: Fields): Fields {
  return new Map([...fields].map(([name, each]) => [name, opened(each)]));
}

function opened(schema: Schema): Schema {
  switch (schema.kind) {
    case 'object':
      return { ...schema, fields: withOpenObjects(schema.fields), open: true };
    case 'array':
      return { ...schema, items: opened(schema.items) };
    case 'map':
      return schema.of === undefined ? schema : { ...schema, of: opened(schema.of) };
    case 'one_of':
      return { ...schema, options: schema.options.map(opened) };
    default:
      return schema;
  }
}

/** The type of a parameter that only the document has. Null counts as missing. */
function asFact(fact: Schema, keeps: boolean): Schema {
  return { ...fact, nullable: fact.nullable || fact.required !== true, ...(keeps ? {} : { effect: 'none' as const }) };
}

/** Returns a declared type, with the document's rules added where the pack declares none. */
function narrowed(own: Schema, fact: Schema): Schema {
  switch (own.kind) {
    case 'any':
      return fact.kind === 'any' ? own : typedAs(own, fact);
    case 'string': {
      const like = optionOf(fact, 'string') ?? optionOf(fact, 'enum');
      if (like?.kind === 'enum') return hasRules(own) ? own : typedAs(own, like);
      if (like?.kind !== 'string') return own;
      const { min = like.min, max_length = like.max_length, format } = own;
      return { ...own, min, max_length, pattern: own.pattern ?? (format ? undefined : like.pattern) };
    }
    case 'integer':
    case 'number': {
      const like = optionOf(fact, 'integer') ?? optionOf(fact, 'number');
      if (like?.kind !== 'integer' && like?.kind !== 'number') return own;
      const { min = like.min, max = like.max } = own;
      return { ...own, min, max };
    }
    case 'array': {
      const like = optionOf(fact, 'array');
      if (like?.kind !== 'array' || own.many === true) return own;
      const { min = like.min, max = like.max } = own;
      return { ...own, min, max, items: narrowed(own.items, like.items) };
    }
    case 'object': {
      const like = optionOf(fact, 'object');
      if (like?.kind !== 'object') return own;
      return { ...own, fields: completedSchema(own.fields, like.fields, { keeps: own.open === true }) };
    }
    case 'map': {
      const like = optionOf(fact, 'object');
      if (like?.kind !== 'object' || own.of !== undefined) return own;
      const { fields } = like;
      return {
        ...attributesOf(own),
        kind: 'object',
        fields: completedSchema(new Map(), fields, { keeps: true }),
        open: like.open,
      };
    }
    case 'enum': {
      const like = optionOf(fact, 'enum');
      const documented = like?.kind === 'enum' ? like.values.filter((value) => !own.values.includes(value)) : [];
      return documented.length === 0 ? own : { ...own, documented };
    }
    case 'one_of':
      return { ...own, options: own.options.map((each) => (each.kind === 'enum' ? narrowed(each, fact) : each)) };
    case 'ref':
    case 'boolean':
    case 'timestamp':
    case 'json_schema':
    case 'const':
      return own;
  }
}

/** Returns the document's type with the attributes of the declared type, such as whether it is required or nullable. */
function typedAs(own: Schema, fact: Schema): Schema {
  const { nullable, place, ...said } = attributesOf(own);
  const given = Object.entries(said).filter(([, value]) => value !== undefined);
  return { ...fact, ...Object.fromEntries(given), required: own.required, nullable, place };
}

function hasRules(schema: Schema): boolean {
  return Object.values(rulesOf(schema)).some((rule) => rule !== undefined);
}

/** Returns the type if it has a kind, or the option of a union that has it; undefined: neither. */
function optionOf(fact: Schema, kind: SchemaKind): Schema | undefined {
  if (fact.kind === kind) return fact;
  return fact.kind === 'one_of' ? fact.options.find((option) => option.kind === kind) : undefined;
}
