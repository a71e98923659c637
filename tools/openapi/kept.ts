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

/** What a field becomes. @param stored how steps read it */
function valueOf(how: Mapping['how'], from: string, stored: string): string {
  if (how === 'list') return `\${flatten([${from}])}`;
  return how === 'merge' ? `\${merge(default(${stored}, {}), ${from})}` : `\${${from}}`;
}

/** What objects keep of what calls send. */
export class Kept {
  constructor(
    private readonly build: Build,
    private readonly objects: ShownObjects,
    private readonly remarks: Remarks,
  ) {}

  /** Which fields keep what a call sends, and what it sends that no field keeps. */
  of(placed: Placed): { readonly mappings: Mapping[]; readonly lost: string[] } {
    const shape = requestShape(this.build.document, placed.call, this.objects.wrapper);
    const properties = objectOr(shape?.schema['properties']);
    const required = shape?.key === undefined ? requiredNames(shape?.schema ?? {}) : new Set<unknown>();
    const own = new Map([...this.objects.fields].filter(([name]) => name !== 'id' && !this.objects.children.has(name)));
    const made = mappingsOf(
      this.build,
      properties,
      required,
      shape && placeInRequest(shape),
      own,
      this.#echoed(placed),
    );
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
        write: `do: [{ set: self, to: { ${made.lost[0]}: =params.${made.lost[0]} } }]`,
        calls:
          1 +
          this.build
            .examplesOf(placed.call)
            .filter(({ sent }) => made.lost.some((name) => name in objectOr(this.objects.within(sent)))).length,
      });
    return made;
  }

  #isMultipart({ call }: Placed): boolean {
    return documentBody(this.build.document, call.operation['requestBody'])?.type.includes('multipart') === true;
  }

  /** Fields that say how large an uploaded file is and what it is called. */
  #fileFields(sent: ReadonlySet<string>): (readonly [string, 'size' | 'name'])[] {
    return [...this.objects.fields].flatMap(([name, { schema }]): (readonly [string, 'size' | 'name'])[] => {
      const type = schemaTypeName(plain(this.build.document, schema).schema);
      if (sent.has(name)) return [];
      if (type === 'integer' && /^(?:bytes|size|file_?size|size_?(?:in_?)?bytes)$/i.test(name)) return [[name, 'size']];
      return type === 'string' && /^(?:file_?name|original_?name|name)$/i.test(name) ? [[name, 'name']] : [];
    });
  }

  /** Names that every example with them in the request shows unchanged in the response. */
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

  /** Steps that keep what a call sent. */
  steps(mappings: readonly Mapping[], target: string): Record<string, unknown>[] {
    return mappings.map(({ from, field, how, nullable }) => {
      const takesNull = nullable && this.objects.fields.get(field)?.nullable === true;
      const value = valueOf(how, from, `${target}.${field}`);
      return { set: target, to: { [field]: value }, when: takesNull ? `has(${from})` : `${from} != null` };
    });
  }

  /** What the fields that a call may leave out have at first, as values of a step; those whose first value is computed are omitted. */
  firstValues(mappings: readonly Mapping[]): Record<string, unknown> {
    const first: Record<string, unknown> = {};
    for (const { field, how, required } of mappings) {
      const kept = this.objects.fields.get(field);
      if (required || how !== 'same' || kept === undefined) continue;
      const { type, at_first = null } = kept;
      const isOptional = typeof type === 'object' && 'optional' in type && type['optional'] === true;
      if (typeof type === 'object' && 'const' in type) continue;
      if (at_first !== null || kept.nullable || isOptional) first[field] = escapedTemplate(at_first);
    }
    return first;
  }

  /** Whether the standard create and update of the language do what the mappings say. */
  isPlain(mappings: readonly Mapping[], lost: readonly string[]): boolean {
    return (
      mappings.every(
        ({ from, field, how, nullable }) =>
          from === `params.${field}` &&
          how === 'same' &&
          (!nullable || this.objects.fields.get(field)?.nullable === true),
      ) && lost.every((name) => !this.objects.fields.has(name) && name !== this.objects.ids.field)
    );
  }
}
