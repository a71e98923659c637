import { equal, type Json } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { documentBody, type Node, objectOr } from './document.js';
import { escapedTemplate } from './fields.js';
import { type Mapping, mappingsOf } from './mapping.js';
import { isIdentifier } from './names.js';
import type { ShownObjects } from './objects.js';
import type { Remarks } from './questions.js';
import { placeInRequest, requestShape, requiredNames } from './shapes.js';
import type { Placed } from './survey.js';
import { isFile, plain, schemaTypeName } from './types.js';

/** Field values from the parameters of the same names, from expressions, and from steps if the value depends on the call. */
interface KeptValues {
  /** The variable whose members are stored in the fields of the same names, if there is one. */
  readonly from?: string;
  readonly values: Readonly<Record<string, string>>;
  readonly steps: readonly Record<string, unknown>[];
}

/** Maps the parameters of calls to the fields that store them. */
export class Kept {
  /** By operation: parameters that have the name of a field but aren't stored in it. */
  readonly unkept = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly build: Build,
    private readonly objects: ShownObjects,
    private readonly remarks: Remarks,
  ) {}

  /** The fields that store a call's parameters, and the parameter that contains the object. */
  of(placed: Placed): { readonly mappings: Mapping[]; readonly holder: string | undefined } {
    const shape = requestShape(this.build.document, placed.call, this.objects.wrapper);
    const properties = objectOr(shape?.schema['properties']);
    const required = shape?.key === undefined ? requiredNames(shape?.schema ?? {}) : new Set<unknown>();
    const holder = shape && placeInRequest(shape);
    const own = new Map([...this.objects.fields].filter(([name]) => name !== 'id' && !this.objects.children.has(name)));
    const made = mappingsOf(this.build, properties, required, holder, own, this.#echoed(placed));
    made.lost.splice(0, made.lost.length, ...made.lost.filter((name) => !this.objects.children.has(name)));
    const files = made.lost.filter((name) => isFile(plain(this.build.document, properties[name]).schema));
    for (const name of files) {
      if (!isIdentifier(name) || !this.#isMultipart(placed)) continue;
      made.lost.splice(made.lost.indexOf(name), 1);
      for (const [field, member] of this.#fileFields(new Set(made.mappings.map((each) => each.field))))
        made.mappings.push({ from: `params.${name}.${member}`, field, how: 'same', required: false, nullable: false });
    }
    for (const name of made.lost) this.remarks.notes.push(`${placed.name}: '${name}' is accepted and not kept`);
    if (made.lost.length > 0)
      this.remarks.questions.push({
        at: ['operations', placed.name],
        ask: `What happens to ${made.lost.slice(0, 6).join(', ')}${made.lost.length > 6 ? ` and ${made.lost.length - 6} more` : ''}, which \`${placed.name}\` accepts and does not keep?`,
        into: [],
        write: `fields: { ${made.lost[0]}: { type: any, nullable: true } }, operations: { ${placed.name}: { params: { ${made.lost[0]}: any } } }`,
        calls:
          1 +
          this.build
            .examplesOf(placed.call)
            .filter(({ sent }) => made.lost.some((name) => name in objectOr(this.objects.within(sent)))).length,
      });
    this.unkept.set(placed.name, new Set(made.lost.filter((name) => this.objects.fields.has(name))));
    return { mappings: made.mappings, holder };
  }

  #isMultipart({ call }: Placed): boolean {
    return documentBody(this.build.document, call.operation['requestBody'])?.type.includes('multipart') === true;
  }

  /** Fields that contain an uploaded file's size or name. */
  #fileFields(sent: ReadonlySet<string>): (readonly [string, 'size' | 'name'])[] {
    return [...this.objects.fields].flatMap(([name, { schema }]): (readonly [string, 'size' | 'name'])[] => {
      const type = schemaTypeName(plain(this.build.document, schema).schema);
      if (sent.has(name)) return [];
      if (type === 'integer' && /^(?:bytes|size|file_?size|size_?(?:in_?)?bytes)$/i.test(name)) return [[name, 'size']];
      return type === 'string' && /^(?:file_?name|original_?name|name)$/i.test(name) ? [[name, 'name']] : [];
    });
  }

  /** Members that every example returns unchanged. */
  #echoed({ call }: Placed): ReadonlySet<string> {
    const within = (value: unknown): Node => objectOr(this.objects.within(value));
    const pairs = this.build
      .examplesOf(call)
      .flatMap(({ sent, response }) =>
        Object.entries(within(sent)).map(([name, value]) => [name, value, within(response)[name]] as const),
      );
    const isEcho = (name: string): boolean =>
      pairs.every(([each, value, shown]) => each !== name || JSON.stringify(value) === JSON.stringify(shown));
    return new Set(pairs.map(([name]) => name).filter(isEcho));
  }

  /** Field values of a new object. */
  made(mappings: readonly Mapping[], holder: string | undefined): KeptValues {
    return this.#kept(mappings, holder, 'self', (each) => this.#valueOfNew(each));
  }

  /** Steps that store the parameters of a call in an existing object. */
  changed(mappings: readonly Mapping[], holder: string | undefined, target: string): Record<string, unknown>[] {
    const { from, values, steps } = this.#kept(mappings, holder, target, (each) => this.#valueOfChanged(each, target));
    const hasValues = Object.keys(values).length > 0;
    if (from === undefined && !hasValues) return [...steps];
    return [{ set: target, ...(from === undefined ? {} : { from }), ...(hasValues ? { to: values } : {}) }, ...steps];
  }

  #kept(
    mappings: readonly Mapping[],
    holder: string | undefined,
    target: string,
    valueOf: (mapping: Mapping) => string | undefined,
  ): KeptValues {
    const source = holder === undefined ? 'params' : `params.${holder}`;
    const values: Record<string, string> = {};
    const steps: Record<string, unknown>[] = [];
    // Steps read the field's previous value, which `from` would overwrite.
    const isReplaced = (each: Mapping): boolean =>
      each.from === `${source}.${each.field}` && !this.#isSame(each, source) && valueOf(each) === undefined;
    const takesAll = !mappings.some(isReplaced);
    let isSource = false;
    for (const each of mappings) {
      const value = takesAll && this.#isSame(each, source) ? null : valueOf(each);
      if (value === null) isSource = true;
      else if (value === undefined) steps.push(this.#step(each, target));
      else values[each.field] = `\${${value}}`;
    }
    return { ...(isSource ? { from: source } : {}), values, steps };
  }

  /** Whether `from: params` stores a parameter without a step. */
  #isSame({ from, field, how, nullable }: Mapping, source: string): boolean {
    return (
      from === `${source}.${field}` && how === 'same' && !source.endsWith(']') && (!nullable || this.#takesNull(field))
    );
  }

  /** Whether a field can be set to null, or to an empty value instead. */
  #takesNull(name: string): boolean {
    const field = this.objects.fields.get(name);
    const type = objectOr(field?.type);
    return (
      field?.nullable === true ||
      type['optional'] === true ||
      ['map', 'array'].includes(String(type['type'] ?? field?.type))
    );
  }

  /** An expression for a field of a new object; undefined if a step is needed. */
  #valueOfNew({ from, field, how, required, nullable }: Mapping): string | undefined {
    if (how === 'list') return `flatten([default(${from}, [])])`;
    if (how === 'merge') return undefined;
    const { at_first = null } = this.objects.fields.get(field) ?? {};
    if ((required && !nullable) || at_first === null) return from;
    const isComputed = hasTemplate(objectOr(this.objects.fields.get(field)?.type)['default']);
    if (isComputed || typeof at_first === 'object') return undefined;
    return `default(${from}, ${typeof at_first === 'string' ? textLiteral(at_first) : JSON.stringify(at_first)})`;
  }

  /** An expression for a changed field; undefined if a step is needed. */
  #valueOfChanged({ from, field, how, nullable }: Mapping, target: string): string | undefined {
    const stored = `${target}.${field}`;
    if (how === 'list') return `flatten([default(${from}, ${stored})])`;
    if (how === 'merge') return `merge(default(${stored}, {}), default(${from}, {}))`;
    return nullable && this.#takesNull(field) ? undefined : `default(${from}, ${stored})`;
  }

  #step({ from, field, how, nullable }: Mapping, target: string): Record<string, unknown> {
    const value = how === 'merge' ? `merge(default(${target}.${field}, {}), ${from})` : from;
    const takesNull = how === 'same' && nullable && this.#takesNull(field);
    return { set: target, to: { [field]: `\${${value}}` }, when: takesNull ? `has(${from})` : `${from} != null` };
  }

  /** Initial values of fields with optional parameters, as values of a step. Computed initial values are omitted. */
  firstValues(mappings: readonly Mapping[]): Record<string, unknown> {
    const first: Record<string, unknown> = {};
    for (const { field, how, required } of mappings) {
      const kept = this.objects.fields.get(field);
      if (required || how !== 'same' || kept === undefined) continue;
      const { type, at_first = null } = kept;
      const isOptional = typeof type === 'object' && 'optional' in type && type['optional'] === true;
      if (typeof type === 'object' && 'const' in type) continue;
      // An example value is no default: a field isn't reset to it.
      const isUsual =
        isEmpty(at_first) || equal(plain(this.build.document, kept.schema).schema['default'] ?? null, at_first);
      if (at_first === null ? kept.nullable || isOptional : isUsual) first[field] = escapedTemplate(at_first);
    }
    return first;
  }

  /** Whether the language's standard create and update store these parameters without steps. */
  isPlain(mappings: readonly Mapping[]): boolean {
    return mappings.every((each) => this.#isSame(each, 'params'));
  }
}

function isEmpty(value: Json): boolean {
  return value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/** Quotes a text as an expression. */
function textLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Whether a default contains an expression, or characters that an expression can't quote. */
function hasTemplate(value: unknown): boolean {
  return typeof value === 'string' && /\$\{|[\n\r]/.test(value);
}
