import { routeShape } from '../../engine/program/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { childrenGiven, type GivenChildren } from './children.js';
import { type Document, type Node, objectOr } from './document.js';
import { fieldOf } from './fields.js';
import { type ResourceIds, idsOf, keyField } from './ids.js';
import { compatibility } from './mapping.js';
import { isIdentifier, snake } from './names.js';
import { pathParam } from './params.js';
import type { Remarks } from './questions.js';
import { listShape, namesWith, requestShape, shownObject, requiredNames } from './shapes.js';
import { nounsAt, type Placed, responseSchema, type SurveyedResource } from './survey.js';
import { type Field, isText, plain, schemaTypeName } from './types.js';
import { together } from './unions.js';

/** The objects of a collection as a document shows them: fields, ids and parents. */
export class ShownObjects {
  readonly fields = new Map<string, Field>();
  /** Fields that only the create response contains. */
  readonly once = new Map<string, { readonly type: Readonly<Record<string, unknown>>; readonly sample: Json }>();
  /** The response members of a new object that was created with required parameters only. */
  readonly whole: Record<string, Json> = {};
  readonly title: string;
  /** Name of its schema in the document. */
  readonly schema: string | undefined;
  /** The key of requests and responses that contains the object. */
  wrapper: string | undefined;
  readonly ids: ResourceIds;
  /** Names that calls may send. */
  readonly settable: ReadonlySet<string>;
  /** Parameters in the path before the collection, and the fields that store them. */
  readonly parents = new Map<string, string>();
  /** Members that are child objects, with the names of their resources. */
  readonly children = new Map<
    string,
    { readonly create: string; readonly parent: string; readonly wrapper: string | undefined }
  >();
  readonly #needed: ReadonlySet<string>;
  readonly #examples: readonly { readonly sent: unknown; readonly shown: JsonObject }[];
  /** The parent of the objects: the last path parameter that is the id of another object. */
  #parent: { readonly param: string; readonly field: string; readonly routeName: string } | undefined;

  constructor(
    private readonly build: Build,
    private readonly found: SurveyedResource,
    private readonly remarks: Remarks,
  ) {
    const { document } = build;
    const [main] = this.#shapes();
    this.schema = document.nameOf(main.original);
    this.title = titleOf(this.schema ?? clientType(build, found), found.name);
    this.wrapper = main.key;
    const shapes = this.#shapes();
    this.#examples = this.#shownObjects();
    const { settable, needed } = this.#asked();
    this.settable = settable;
    this.#needed = new Set([...needed].map((each) => snake(String(each))));
    this.ids = idsOf(build, found, main.schema, this.title, needed, settable);
    if (this.ids.note !== undefined) {
      remarks.notes.push(this.ids.note);
      remarks.questions.push({
        at: ['id'],
        into: [],
        ask: `How do ids of a ${this.title} look?`,
        write: `id: { prefix: ${found.name.slice(0, 4)}_, format: plain }`,
        calls: found.calls.length,
      });
    }
    for (const { schema } of shapes) this.#addFields(schema);
    this.#addShown(main.schema);
    this.#addOnce();
    this.#addParents();
    for (const each of childrenGiven(build, found, this.wrapper)) this.#addChildren(each);
  }

  /** Keys that can contain the object in bodies, most likely first. */
  get names(): readonly string[] {
    return namesWith(this.wrapper, nounsAt(this.found.path));
  }

  /** The object's schemas in requests and responses, the one with the most members first. */
  #shapes(
    wanted: readonly Placed['kind'][] = ['retrieve', 'create', 'upsert', 'update', 'list'],
  ): { readonly schema: Node; readonly key: string | undefined; readonly original: unknown }[] {
    const { document } = this.build;
    return wanted.flatMap((kind) =>
      this.found.calls.flatMap((each) => {
        if (each.kind !== kind) return [];
        const response = responseSchema(document, each.call);
        if (kind !== 'list') return shownObject(document, response, this.names) ?? [];
        const items = listShape(document, response, this.names)?.items;
        const { schema } = together(document, items);
        return { schema, key: undefined, original: items };
      }),
    );
  }

  /** The example value of a field that no call sets: from the create response, else from others. */
  #shown(name: string): Json | undefined {
    for (const { sent, shown } of this.#examples) {
      if (!(name in shown)) continue;
      const given = objectOr(sent)[name];
      return given !== undefined && JSON.stringify(given) === JSON.stringify(shown[name]) ? undefined : shown[name];
    }
    return undefined;
  }

  /** Example objects with the requests that created them, new ones first. */
  #shownObjects(): { readonly sent: unknown; readonly shown: JsonObject }[] {
    const wanted: readonly Placed['kind'][] = ['create', 'upsert', 'retrieve', 'update', 'list'];
    return wanted.flatMap((kind) =>
      this.found.calls
        .filter((each) => each.kind === kind)
        .flatMap(({ call }) => this.build.examplesOf(call))
        .flatMap(({ sent, response }) => {
          const shown = kind === 'list' ? firstItem(response) : (this.within(response) as Json);
          return isObject(shown) ? [{ sent: this.within(sent), shown }] : [];
        }),
    );
  }

  /** The object in a request or response. */
  within(value: unknown): unknown {
    const held = (this.wrapper === undefined ? undefined : objectOr(value)[this.wrapper]) ?? value;
    return Array.isArray(held) ? held[0] : held;
  }

  /** Names that calls may send, and names that every create call must send. */
  #asked(): { readonly settable: ReadonlySet<string>; readonly needed: ReadonlySet<unknown> } {
    const settable = new Set<string>();
    let needed: ReadonlySet<unknown> | undefined;
    for (const { kind, call } of this.found.calls) {
      if (!['create', 'update', 'upsert'].includes(kind)) continue;
      const shape = requestShape(this.build.document, call, this.wrapper);
      for (const [name, property] of Object.entries(objectOr(shape?.schema['properties'])))
        if (plain(this.build.document, property).schema['readOnly'] !== true) settable.add(snake(name));
      if (kind === 'create') needed ??= writtenNames(this.build.document, shape?.schema ?? {});
    }
    return { settable, needed: needed ?? new Set() };
  }

  #addFields(schema: Node): void {
    const needed = requiredNames(schema);
    const { field: idField, numeric, sample } = this.ids;
    for (const [name, property] of Object.entries(objectOr(schema['properties']))) {
      if (name === idField || this.fields.has(name)) continue;
      const { schema: inner } = plain(this.build.document, property);
      if (inner['writeOnly'] === true) continue;
      if (name === 'id') {
        // A number in responses beside the id in the path is a field of its own.
        if (this.found.isSingle === true)
          this.#set(name, {
            type: {},
            schema: property,
            at_first: this.#shown(name) ?? this.build.sampler.of(property),
            nullable: false,
          });
        else if (schemaTypeName(inner) === 'integer')
          this.#set(name, { type: {}, schema: property, at_first: Number(sample) || 1001, nullable: false });
        else if (needed.has(name))
          this.#set(name, { type: {}, schema: property, at_first: numeric ? Number(sample) : sample, nullable: false });
        continue;
      }
      const shown = this.#shown(name);
      const field = fieldOf(
        this.build,
        name,
        property,
        needed.has(name),
        this.settable.has(snake(name)),
        this.remarks.notes,
        shown,
      );
      const ref = this.#refOf(name, property);
      this.#set(name, ref === undefined || field.at_first !== null ? field : { ...field, type: ref });
    }
    if (idField !== undefined) this.whole[idField] ??= numeric ? Number(sample) : sample;
  }

  /** Adds members that only the create response shows. They are secrets: stored, but not returned again. */
  #addOnce(): void {
    const { document, sampler } = this.build;
    const namesOf = (kinds: readonly Placed['kind'][]): Map<string, unknown> =>
      new Map(this.#shapes(kinds).flatMap(({ schema }) => Object.entries(objectOr(schema['properties']))));
    const later = namesOf(['retrieve', 'list']);
    if (later.size === 0) return;
    for (const [name, property] of namesOf(['create'])) {
      if (
        later.has(name) ||
        name === this.ids.field ||
        !this.fields.has(name) ||
        this.settable.has(snake(name)) ||
        !isIdentifier(name)
      )
        continue;
      const { schema } = plain(document, property);
      const sample = sampler.of(property);
      if (schemaTypeName(schema) !== 'string' || typeof sample !== 'string' || /url|_at$|object|type/i.test(name))
        continue;
      const [prefix = ''] = /^[A-Za-z]{1,12}_/.exec(sample) ?? [];
      const made = prefix === '' ? '${random_string(32)}' : `\${'${prefix}' + random_string(32)}`;
      this.fields.delete(name);
      delete this.whole[name];
      this.once.set(name, { type: { type: 'string', hidden: true, default: made }, sample });
    }
  }

  /** Adds fields that examples contain and the schema doesn't. */
  #addShown(schema: Node): void {
    if (schema['additionalProperties'] === false) return;
    for (const name of this.#examples.flatMap(({ shown }) => Object.keys(shown))) {
      if (this.fields.has(name) || [this.ids.field, 'id', this.wrapper].includes(name) || !isIdentifier(name)) continue;
      this.#set(
        name,
        fieldOf(this.build, name, {}, false, this.settable.has(snake(name)), this.remarks.notes, this.#shown(name)),
      );
    }
  }

  #set(name: string, field: Field): void {
    this.fields.set(name, field);
    // A required parameter of every create call is also present in seed objects.
    const given =
      field.at_first === undefined && this.#needed.has(snake(name)) ? this.build.sampler.of(field.schema) : undefined;
    const first = field.at_first === undefined ? given : field.at_first;
    if (first !== undefined) this.whole[name] = first;
  }

  #refOf(name: string, property: unknown): Record<string, unknown> | undefined {
    const target = this.build.refs.get(snake(name));
    if (target === undefined || target === this.found.name) return undefined;
    return schemaTypeName(plain(this.build.document, property).schema) === 'string'
      ? { ref: target, nullable: true }
      : undefined;
  }

  /** The field that shows the id in responses. */
  idFields(): Record<string, unknown> {
    const { field, numeric, file } = this.ids;
    const keyed = file['key'] !== undefined;
    const fields: Record<string, unknown> = {};
    const own = this.fields.get('id');
    this.fields.delete('id');
    if (field === 'id' && !keyed) {
      if (numeric) fields['id'] = { type: 'string', shown: '${int(self.id)}' };
      return fields;
    }
    if (own)
      fields['id'] = {
        type: 'string',
        shown:
          this.found.isSingle === true
            ? own.at_first
            : typeof own.at_first === 'number'
              ? numeric
                ? '${int(self.id)}'
                : own.at_first
              : '${self.id}',
      };
    else fields['id'] = { type: 'string', internal: true };
    if (field === undefined || field === 'id') return fields;
    const shown = keyed ? `self.${keyField(this.found.key.at(-1) ?? '')}` : 'self.id';
    fields[field] = numeric ? { type: 'integer', view: `\${int(${shown})}` } : { type: 'string', view: `\${${shown}}` };
    return fields;
  }

  /** Fields that no response shows: parts of a composite key and parent ids in the path; also secrets, which only the create response shows. */
  hidden(): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    if (this.ids.file['key'] !== undefined)
      for (const name of this.found.key) fields[keyField(name)] = { type: 'string', hidden: true };
    for (const [name, { type }] of this.once) fields[name] = type;
    for (const [param, field] of this.parents)
      if (!this.fields.has(field)) fields[field] = { ...this.parentType(param), nullable: true, hidden: true };
    return fields;
  }

  #addParents(): void {
    for (const param of this.found.parents) {
      const name = snake(param);
      const shown = this.fields.get(name);
      const usable = shown === undefined || (isText(shown.type) && this.#fits(param, shown));
      this.parents.set(param, usable && name !== 'id' && name !== this.ids.field ? name : `in_${name}`);
    }
    for (const [param, field] of this.parents) {
      const shown = this.fields.get(field);
      if (shown) this.fields.set(field, { ...shown, type: { ...this.parentType(param), nullable: true } });
    }
    // If no call creates objects below a parent, existing ones have no parent.
    const [param, field] = [...this.parents].at(-1) ?? [];
    if (param === undefined || field === undefined || !('ref' in this.parentType(param))) return;
    if (this.found.calls.some(({ kind }) => kind === 'create'))
      this.#parent = { param, field, routeName: pathParam(param) };
  }

  /** Adds a computed field with the list of child objects. */
  #addChildren({ name, child }: GivenChildren): void {
    const shown = this.fields.get(name);
    if (shown === undefined || !isIdentifier(name)) return;
    const objects = new ShownObjects(this.build, child, { notes: [], questions: [] });
    const [param, field] = [...objects.parents].at(-1) ?? ['', ''];
    const create = child.calls.find(({ kind }) => kind === 'create')?.name;
    if (!('ref' in objects.parentType(param)) || create === undefined) return;
    const made = { create: `${child.collection}.${create}`, parent: pathParam(param), wrapper: objects.wrapper };
    this.children.set(name, made);
    const view = `\${all(${child.name}, {'${field}': self.id}).map(each, rest(each))}`;
    this.fields.set(name, { ...shown, type: { type: 'array', items: 'map', view } });
  }

  /** `parent` of the resource file. */
  parentKey(): { readonly parent?: unknown } {
    if (this.#parent === undefined) return {};
    const { field, routeName } = this.#parent;
    return { parent: field === routeName ? field : { [field]: [routeName] } };
  }

  /** Whether the engine resolves a path parameter as the parent of the objects, so that it needs no step. */
  isFound(param: string, inRoute: ReadonlyMap<string, string>): boolean {
    return this.#parent?.param === param && inRoute.get(param) === this.#parent.routeName;
  }

  /** Whether responses can show the value of a path parameter in a field: it is an existing object's id, or text without rules. */
  #fits(param: string, shown: Field): boolean {
    if ('ref' in this.parentType(param)) return true;
    const schemas = this.found.calls.flatMap(({ call }) =>
      call.parameters.filter((each) => each['in'] === 'path' && each['name'] === param),
    );
    return (
      compatibility(this.build.document, objectOr(schemas[0])['schema'], shown.schema) === 'same' &&
      !('pattern' in plain(this.build.document, shown.schema).schema)
    );
  }

  /** The type of a path parameter before the collection: a reference, if the document has such a collection. */
  parentType(param: string): Record<string, unknown> {
    const upTo = this.found.path.slice(0, this.found.path.indexOf(`{${param}}`) + param.length + 2);
    const shape = routeShape(upTo);
    const parent = this.build.found.find(({ itemPath, key }) => routeShape(itemPath) === shape && key.length === 1);
    return parent === undefined || parent.name === this.found.name ? { type: 'string' } : { ref: parent.name };
  }
}

/** Names that a request must contain: required ones that aren't read-only. */
function writtenNames(document: Document, schema: Node): ReadonlySet<unknown> {
  const properties = objectOr(schema['properties']);
  const isWritten = (name: unknown): boolean => plain(document, properties[String(name)]).schema['readOnly'] !== true;
  return new Set([...requiredNames(schema)].filter(isWritten));
}

/** The client library's type for a collection, such as `payment_link` for `/payment-links`. */
function clientType({ client }: Build, { path }: SurveyedResource): string | undefined {
  return nounsAt(path).find((each) => client?.types.has(each) === true);
}

/** An object's title: its schema's name without words such as request, response or list. */
function titleOf(schema: string | undefined, name: string): string {
  const words = snake(schema ?? name).split('_');
  const kept = words.filter(
    (word) =>
      !/^(?:create|created|get|retrieve|list|response|request|result|dto|schema|model|object|payload|v\d+|in|out|input|output|extended|editable|detailed|full|base|basic|read|data|resource|entity|item)$/.test(
        word,
      ),
  );
  return (kept.length === 0 || kept.length + 2 < words.length ? snake(name).split('_') : kept).join(' ');
}

/** The first item of a list response. */
function firstItem(response: Json): Json {
  if (Array.isArray(response)) return (response as Json[])[0] ?? null;
  const holder = Object.values(objectOr(response)).find((each) => Array.isArray(each) && each.length > 0);
  return Array.isArray(holder) ? (holder as Json[])[0] : null;
}
