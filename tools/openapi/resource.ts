import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import type { Build } from './build.js';
import { objectResponse, statusOf, stubResponse } from './responses.js';
import { documentBody, type Node, objectOr, textOr } from './document.js';
import { type Field, fieldOf } from './fields.js';
import { type ResourceIds, idsOf } from './ids.js';
import { machineOf, STATE_FIELDS, stateAfter, statesOf } from './machine.js';
import { isPaging, listingOf } from './paging.js';
import { compatibility, type Mapping, mappingsOf } from './mapping.js';
import { isIdentifier, namesIn, snake } from './names.js';
import { clean, paramsOf, pathParam, routeOf } from './params.js';
import { streamKeys } from './streams.js';
import type { Question } from './questions.js';
import {
  responseSchema,
  type SurveyedResource,
  listShape,
  objectShape,
  type Placed,
  requestShape,
  requiredNames,
} from './survey.js';
import { isFile, plain, shortType, schemaTypeName, typeOf } from './types.js';

/** A resource file, and notes for people. */
interface ResourceBuilt {
  readonly file: Record<string, unknown>;
  /** Entries of causes.yaml. */
  readonly causes: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly questions: readonly Question[];
  readonly idFormat: ResourceIds['format'];
  /** States of its machine, which events may be called after. */
  readonly states: readonly string[];
  /** The name of its schema in the document. */
  readonly schema: string | undefined;
}

/** Makes a resource of a collection: its fields, its ids, and what each of its calls does. */
export function buildResource(build: Build, found: SurveyedResource): ResourceBuilt {
  return new Builder(build, found).built();
}

/** The field of an object's state, the state that each action leads to, and the machine that says so. */
interface StateFound {
  readonly field: string;
  readonly after: ReadonlyMap<string, string>;
  /** Undefined: callers may set the field, so no machine can. */
  readonly machine?: Record<string, unknown>;
  /** States of the machine that no call leads to. */
  readonly outside: readonly string[];
}

class Builder {
  readonly #notes: string[] = [];
  readonly #questions: Question[] = [];
  readonly #fields = new Map<string, Field>();
  /** What a new object that was given nothing returns. */
  readonly #whole: Record<string, Json> = {};
  readonly #title: string;
  readonly #schema: string | undefined;
  readonly #wrapper: string | undefined;
  readonly #ids: ResourceIds;
  readonly #examples: readonly { readonly sent: Json | undefined; readonly shown: JsonObject }[];
  readonly #state: StateFound | undefined;
  /** Names in the path before the collection, and the fields that keep them. */
  readonly #parents = new Map<string, string>();
  /** What its objects belong to: the last of these names that is the id of another object. */
  #parent: { readonly param: string; readonly field: string; readonly routeName: string } | undefined;

  constructor(
    private readonly build: Build,
    private readonly found: SurveyedResource,
  ) {
    const { document } = build;
    const shapes = this.#shapes();
    const [main] = shapes;
    this.#schema = document.nameOf(main.original);
    this.#title = snake(this.#schema ?? found.name).replaceAll('_', ' ');
    this.#wrapper = main.key;
    this.#examples = this.#shownObjects();
    const asked = this.#asked();
    this.#ids = idsOf(build, found, main.schema, this.#title, asked.needed);
    if (this.#ids.note !== undefined) {
      this.#notes.push(this.#ids.note);
      this.#questions.push({
        at: ['id'],
        ask: `How do ids of a ${this.#title} look?`,
        write: `id: { prefix: ${found.name.slice(0, 4)}_, format: plain }`,
        calls: found.calls.length,
      });
    }
    for (const { schema } of shapes) this.#addFields(schema, asked.settable);
    this.#addShown(main.schema, asked.settable);
    this.#state = this.#stateOf(asked.settable);
    this.#addParents();
  }

  built(): ResourceBuilt {
    const { found } = this;
    const operations: Record<string, unknown> = {};
    for (const each of found.calls) operations[each.name] = this.#streaming(each, this.#operation(each));
    const order = [...this.#fields].find(
      ([name, { type }]) => /^(?:created|created_?at|creation_?date|date_?created)$/i.test(name) && isTimestamp(type),
    )?.[0];
    const file = {
      resource: found.name,
      collection: found.collection,
      ...(this.#title === found.name ? {} : { title: this.#title }),
      id: this.#ids.file,
      ...(order === undefined ? {} : { order }),
      ...(this.#parents.size > 0 ? { indexes: [...this.#parents.values()] } : {}),
      ...this.#parentKey(),
      fields: {
        ...this.#idFields(),
        ...Object.fromEntries([...this.#fields].map(([name, { type }]) => [name, type])),
        ...this.#hidden(),
      },
      ...(this.#state?.machine === undefined ? {} : { machine: this.#state.machine }),
      operations,
    };
    return {
      file,
      causes: this.#causes(),
      notes: this.#notes,
      questions: this.#questions,
      idFormat: this.#ids.format,
      states: Object.keys(objectOr(this.#state?.machine?.['states'])),
      schema: this.#schema,
    };
  }

  /** The shapes that the calls show of an object, the fullest first. */
  #shapes(): { readonly schema: Node; readonly key: string | undefined; readonly original: unknown }[] {
    const { document } = this.build;
    const wanted: readonly Placed['kind'][] = ['retrieve', 'create', 'upsert', 'update', 'list'];
    return wanted.flatMap((kind) =>
      this.found.calls.flatMap((each) => {
        if (each.kind !== kind) return [];
        const response = responseSchema(document, each.call);
        if (kind !== 'list') return objectShape(document, response) ?? [];
        const items = listShape(document, response)?.items;
        return { schema: plain(document, items).schema, key: undefined, original: items };
      }),
    );
  }

  /** What the document shows of a field where no call sent it: in the response of the call that makes an object, else in others. */
  #shown(name: string): Json | undefined {
    for (const { sent, shown } of this.#examples) {
      if (!(name in shown)) continue;
      const given = objectOr(sent)[name];
      return given !== undefined && JSON.stringify(given) === JSON.stringify(shown[name]) ? undefined : shown[name];
    }
    return undefined;
  }

  /** Objects that the document shows, what was just made first, with what was sent for it. */
  #shownObjects(): { readonly sent: Json | undefined; readonly shown: JsonObject }[] {
    const wanted: readonly Placed['kind'][] = ['create', 'upsert', 'retrieve', 'update', 'list'];
    const within = (value: Json): Json => {
      const inside = this.#wrapper === undefined ? undefined : objectOr(value)[this.#wrapper];
      return (inside ?? value) as Json;
    };
    return wanted.flatMap((kind) =>
      this.found.calls
        .filter((each) => each.kind === kind)
        .flatMap(({ call }) => this.build.examplesOf(call))
        .flatMap(({ sent, response }) => {
          const list = kind === 'list' ? firstItem(response) : within(response);
          return isObject(list) ? [{ sent: sent === undefined ? undefined : within(sent), shown: list }] : [];
        }),
    );
  }

  /** Names that calls may send, and those that every call that makes an object has to. */
  #asked(): { readonly settable: ReadonlySet<string>; readonly needed: ReadonlySet<unknown> } {
    const settable = new Set<string>();
    let needed: ReadonlySet<unknown> | undefined;
    for (const { kind, call } of this.found.calls) {
      if (!['create', 'update', 'upsert'].includes(kind)) continue;
      const shape = requestShape(this.build.document, call, this.#wrapper);
      for (const name of Object.keys(objectOr(shape?.schema['properties']))) settable.add(snake(name));
      if (kind === 'create') needed ??= shape?.key === undefined ? requiredNames(shape?.schema ?? {}) : new Set();
    }
    return { settable, needed: needed ?? new Set() };
  }

  #addFields(schema: Node, settable: ReadonlySet<string>): void {
    const needed = requiredNames(schema);
    const { field: idField, numeric, sample } = this.#ids;
    for (const [name, property] of Object.entries(objectOr(schema['properties']))) {
      if (name === idField || this.#fields.has(name)) continue;
      const { schema: inner } = plain(this.build.document, property);
      if (inner['writeOnly'] === true) continue;
      if (name === 'id') {
        // Responses show another id than the route: a number of their own.
        if (schemaTypeName(inner) === 'integer')
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
        settable.has(snake(name)),
        this.#notes,
        shown,
      );
      const ref = this.#refOf(name, property);
      this.#set(name, ref === undefined || field.at_first !== null ? field : { ...field, type: ref });
    }
    if (idField !== undefined) this.#whole[idField] ??= numeric ? Number(sample) : sample;
  }

  /** Fields that examples show and no schema names. */
  #addShown(schema: Node, settable: ReadonlySet<string>): void {
    if (schema['additionalProperties'] === false) return;
    for (const name of this.#examples.flatMap(({ shown }) => Object.keys(shown))) {
      if (this.#fields.has(name) || name === this.#ids.field || name === 'id' || !isIdentifier(name)) continue;
      this.#set(name, fieldOf(this.build, name, {}, false, settable.has(snake(name)), this.#notes, this.#shown(name)));
    }
  }

  #set(name: string, field: Field): void {
    this.#fields.set(name, field);
    if (field.at_first !== undefined) this.#whole[name] = field.at_first;
  }

  #refOf(name: string, property: unknown): Record<string, unknown> | undefined {
    const target = this.build.refs.get(snake(name));
    if (target === undefined || target === this.found.name) return undefined;
    return schemaTypeName(plain(this.build.document, property).schema) === 'string'
      ? { ref: target, nullable: true }
      : undefined;
  }

  /** How responses show the id. */
  #idFields(): Record<string, unknown> {
    const { field, numeric, file } = this.#ids;
    const keyed = file['key'] !== undefined;
    const fields: Record<string, unknown> = {};
    const own = this.#fields.get('id');
    this.#fields.delete('id');
    if (field === 'id' && !keyed) {
      if (numeric) fields['id'] = { type: 'string', shown: '${int(self.id)}' };
      return fields;
    }
    if (own)
      fields['id'] = {
        type: 'string',
        shown: typeof own.at_first === 'number' ? (numeric ? '${int(self.id)}' : own.at_first) : '${self.id}',
      };
    else fields['id'] = { type: 'string', internal: true };
    if (field === undefined || field === 'id') return fields;
    const shown = keyed ? `self.${keyField(this.found.key.at(-1) ?? '')}` : 'self.id';
    fields[field] = numeric ? { type: 'integer', view: `\${int(${shown})}` } : { type: 'string', view: `\${${shown}}` };
    return fields;
  }

  /** Fields that no response shows: parts of a key, and what the path says before the collection. */
  #hidden(): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    if (this.#ids.file['key'] !== undefined)
      for (const name of this.found.key) fields[keyField(name)] = { type: 'string', hidden: true };
    for (const [param, field] of this.#parents)
      if (!this.#fields.has(field)) fields[field] = { ...this.#parentType(param), nullable: true, hidden: true };
    return fields;
  }

  #addParents(): void {
    for (const param of this.found.parents) {
      const name = snake(param);
      const shown = this.#fields.get(name);
      const usable = shown === undefined || (isText(shown.type) && this.#fits(param, shown));
      this.#parents.set(param, usable && name !== 'id' && name !== this.#ids.field ? name : `in_${name}`);
    }
    for (const [param, field] of this.#parents) {
      const shown = this.#fields.get(field);
      if (shown) this.#fields.set(field, { ...shown, type: { ...this.#parentType(param), nullable: true } });
    }
    // Where no call makes objects below a parent, those that are there belong to none.
    const [param, field] = [...this.#parents].at(-1) ?? [];
    if (param === undefined || field === undefined || !('ref' in this.#parentType(param))) return;
    if (this.found.calls.some(({ kind }) => kind === 'create'))
      this.#parent = { param, field, routeName: pathParam(param) };
  }

  #parentKey(): { readonly parent?: unknown } {
    if (this.#parent === undefined) return {};
    const { field, routeName } = this.#parent;
    return { parent: field === routeName ? field : { [field]: [routeName] } };
  }

  /** Whether a route names what the object belongs to: the engine finds it, fills it in and lists what is in it. */
  #isFound(param: string, inRoute: ReadonlyMap<string, string>): boolean {
    return this.#parent?.param === param && inRoute.get(param) === this.#parent.routeName;
  }

  /** Whether what the path says before the collection is what responses may show: an id that exists, or a text without rules. */
  #fits(param: string, shown: Field): boolean {
    if ('ref' in this.#parentType(param)) return true;
    const schemas = this.found.calls.flatMap(({ call }) =>
      call.parameters.filter((each) => each['in'] === 'path' && each['name'] === param),
    );
    return (
      compatibility(this.build.document, objectOr(schemas[0])['schema'], shown.schema) === 'same' &&
      !('pattern' in plain(this.build.document, shown.schema).schema)
    );
  }

  /** A name before the collection is the id of an object, where the document has a collection of such. */
  #parentType(param: string): Record<string, unknown> {
    const upTo = this.found.path.slice(0, this.found.path.indexOf(`{${param}}`) + param.length + 2);
    const shape = (path: string): string => path.replace(/\{[^{}]+\}/g, '{}');
    const parent = this.build.found.find(({ itemPath, key }) => shape(itemPath) === shape(upTo) && key.length === 1);
    return parent === undefined || parent.name === this.found.name ? { type: 'string' } : { ref: parent.name };
  }

  /** An operation that also streams, where the document shows chunks. */
  #streaming({ call, kind }: Placed, operation: Record<string, unknown>): Record<string, unknown> {
    if ('content' in operation || 'let' in operation || kind === 'list' || kind === 'delete') return operation;
    const streamed = streamKeys(this.build, call, objectOr(operation['params']), kind !== 'upsert');
    return streamed === undefined ? operation : { ...operation, ...streamed };
  }

  #operation(placed: Placed): Record<string, unknown> {
    const { kind, name, call } = placed;
    const { build } = this;
    const { params, names } = paramsOf(
      build,
      call,
      kind === 'update' && call.method !== 'put' && this.#wrapper === undefined,
    );
    const inRoute = this.#routeNames(placed, names);
    for (const [param, own] of inRoute) {
      const declared = names.get(param) ?? '';
      const isOwn = own === 'id' || (this.found.key.length > 1 && this.found.key.includes(param));
      if (own !== declared || (isOwn && !['create', 'list', 'upsert'].includes(kind))) delete params[declared];
    }
    for (const param of this.found.parents) {
      const own = inRoute.get(param) ?? snake(param);
      if (kind !== 'upsert' && this.#isFound(param, inRoute)) delete params[own];
      else if (own in params) params[own] = clean({ ...this.#parentType(param), required: true });
    }
    const route = routeOf(build, call, inRoute);
    const security =
      build.secured && call.operation['security'] !== undefined && isOpen(call.operation['security'])
        ? { open: true }
        : {};
    const isAction = kind === 'action' || kind === 'upsert';
    const named = isAction ? (STANDARD.has(name) ? { kind: 'action' } : {}) : name === kind ? {} : { kind };
    const head = { ...named, route, ...security };
    switch (kind) {
      case 'list':
        return this.#list(placed, head, params, inRoute);
      case 'create':
        return this.#create(placed, head, params, inRoute);
      case 'update':
        return this.#update(placed, head, params);
      case 'upsert':
        return this.#upsert(placed, { ...head }, params, inRoute);
      case 'delete':
        return this.#delete(placed, { route, ...security }, params);
      case 'action':
        return { ...head, ...given(params), ...this.#acted(placed), ...this.#does(placed) };
      default:
        return {
          ...head,
          ...given(params),
          ...objectResponse(build, call, this.#whole, this.#fields, 'self', this.#notes),
        };
    }
  }

  /** What an action does, as far as the document shows it: it leads to a state, at a time. */
  #does({ name, call }: Placed): Record<string, unknown> {
    const to = this.#state?.after.get(name);
    if (this.#state === undefined || to === undefined) {
      this.#notes.push(`${name}: returns the object unchanged; write what it does (\`do:\`)`);
      this.#questions.push({
        at: ['operations', name],
        ask: `What does \`${name}\` change?`,
        write: 'do: [{ set: self, to: { FIELD: =params.NAME } }]',
        calls: 1 + this.build.examplesOf(call).length,
      });
      return {};
    }
    return { do: this.#steps(this.#state, to, name) };
  }

  /** Steps that lead to a state: by the machine where there is one, with the time in a field that is called like it. */
  #steps({ field, machine }: StateFound, to: string, trigger: string): Record<string, unknown>[] {
    const stamps = [...this.#fields].filter(
      ([name, { at_first }]) => (at_first === null || at_first === undefined) && snake(name) === `${to}_at`,
    );
    const times = stamps.map(([name, { type }]) => [name, isTimestamp(type) ? '${now}' : '${unix(now)}'] as const);
    const values = { ...(machine === undefined ? { [field]: to } : {}), ...Object.fromEntries(times) };
    return [
      ...(machine === undefined ? [] : [{ send: trigger }]),
      ...(Object.keys(values).length > 0 ? [{ set: 'self', to: values }] : []),
    ];
  }

  /** The state that actions and external events change. */
  #stateOf(settable: ReadonlySet<string>): StateFound | undefined {
    const field = STATE_FIELDS.find((each) => this.#fields.has(each));
    const kept = field === undefined ? undefined : this.#fields.get(field);
    if (field === undefined || kept === undefined) return undefined;
    const states = statesOf(kept);
    const after = new Map<string, string>();
    for (const { kind, name, call } of this.found.calls) {
      if (kind !== 'action') continue;
      const shown = new Set(this.build.examplesOf(call).map(({ response }) => objectOr(this.#within(response))[field]));
      // Examples of several states show that the action leads to none.
      const to = shown.size > 1 ? undefined : stateAfter(name, [...shown][0], states);
      if (to !== undefined && to !== kept.at_first) after.set(name, to);
    }
    const initial = kept.at_first;
    if (states.length === 0 || typeof initial !== 'string' || kept.nullable || settable.has(field))
      return after.size === 0 ? undefined : { field, after, outside: [] };
    this.#fields.set(field, { ...kept, type: { enum: states, machine: true } });
    const { machine, outside } = machineOf(states, initial, after);
    const known = [...after].map(([operation, to]) => `'${operation}' leads to ${to}`);
    this.#notes.push(
      `${field}: ${[...known, ...(outside.length === 0 ? [] : [`only external events lead to ${outside.slice(0, 6).join(', ')}`])].join(', ')}; which transitions are there, and when? (its \`machine:\`)`,
    );
    this.#questions.push({
      at: ['machine'],
      ask: `Which transitions does \`${field}\` have, and when? ${[...known, ...(outside.length === 0 ? [] : [`only external events lead to ${outside.slice(0, 4).join(', ')}`])].join(', ')}.`,
      write: `${initial}: { after: { 5s: ${outside.find((each) => each !== initial && !/fail|error|cancel|expire/i.test(each)) ?? states.find((each) => each !== initial)} } }`,
      calls: this.found.calls.length,
    });
    return { field, after, machine, outside };
  }

  /** External events that lead to the states which no call leads to, for causes.yaml. */
  #causes(): Record<string, unknown> {
    const state = this.#state;
    const { name } = this.found;
    return Object.fromEntries(
      (state?.outside ?? []).map((to) => [
        `${name}.${to}`,
        {
          description: `A ${this.#title} becomes ${to}.`,
          subject: { param: `${name}_id`, resource: name },
          do: state === undefined ? [] : this.#steps(state, to, to),
        },
      ]),
    );
  }

  #within(value: unknown): unknown {
    return (this.#wrapper === undefined ? undefined : objectOr(value)[this.#wrapper]) ?? value;
  }

  /** An action of an object returns the object, or what the document shows. */
  #acted({ call }: Placed): Record<string, unknown> {
    const response = objectResponse(this.build, call, this.#whole, this.#fields, 'self', this.#notes);
    return 'return' in response || 'content' in response ? { ...response } : { ...response, return: '${rest(self)}' };
  }

  /** The pack's names for those in a path: `{id}` is the own object's. */
  #routeNames({ kind, call }: Placed, names: ReadonlyMap<string, string>): Map<string, string> {
    const own = new Map(names);
    if (kind === 'create' || kind === 'list') return own;
    if (kind === 'upsert') return own;
    if (this.found.key.length > 1) for (const part of this.found.key) own.set(part, snake(part));
    else own.set(namesIn(call.path)[this.found.parents.length], 'id');
    return own;
  }

  #list(
    placed: Placed,
    head: object,
    params: Record<string, unknown>,
    inRoute: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { build } = this;
    const listing = listingOf(build, placed.call, this.#whole);
    if (listing === undefined) {
      this.#notes.push(
        `${placed.name}: returns what the document shows: its items are not what the other calls return`,
      );
      this.#questions.push({
        at: ['operations', placed.name],
        ask: `What do the items of \`${placed.name}\` have in common with the responses of the other calls?`,
        write: 'lists: { envelope: { data: =data } }',
        calls: 1 + build.examplesOf(placed.call).length,
      });
      return { ...head, kind: 'action', ...given(params), ...stubResponse(build, placed.call, this.#notes) };
    }
    for (const key of listing.fixed)
      this.#notes.push(`${placed.name}: the key '${key}' of its responses is the same every time`);
    const filters: Record<string, unknown> = {};
    for (const [param, field] of this.#parents) {
      const own = inRoute.get(param) ?? snake(param);
      if (!(own in params)) continue;
      delete params[own];
      filters[own] = field === own ? {} : { field };
    }
    for (const each of placed.call.parameters) {
      const name = textOr(each['name']);
      if (each['in'] !== 'query' || !(name in params)) continue;
      if (isPaging(name)) {
        delete params[name];
        continue;
      }
      const field = this.#filtered(name, each['schema']);
      if (field === undefined) this.#notes.push(`${placed.name}: the parameter '${name}' is accepted and does nothing`);
      else {
        delete params[name];
        const type = shortType(
          clean({
            ...typeOf(build.document, each['schema'], 'param'),
            ...(each['required'] === true ? { required: true } : {}),
          }),
        );
        filters[name] = { ...(typeof type === 'string' ? { type } : type), ...(field === name ? {} : { field }) };
      }
    }
    return {
      ...head,
      ...statusOf(build, placed.call),
      ...(Object.keys(filters).length > 0 ? { filters } : {}),
      ...given(params),
      lists: listing.lists,
    };
  }

  /** The stored field that a parameter of a list asks for. */
  #filtered(name: string, schema: unknown): string | undefined {
    const field = [...this.#fields.keys()].find((key) => key === name || snake(key) === snake(name));
    if (field === undefined) return undefined;
    const { document } = this.build;
    const asked = schemaTypeName(plain(document, schema).schema);
    const kept = this.#fields.get(field);
    const isScalar = ['string', 'boolean', 'integer'].includes(asked);
    const stored = kept !== undefined && typeof kept.type === 'object' && 'const' in kept.type ? undefined : kept;
    return stored &&
      isScalar &&
      asked === schemaTypeName(plain(document, stored.schema).schema) &&
      !isTimestamp(stored.type)
      ? field
      : undefined;
  }

  #mappings(placed: Placed): {
    readonly mappings: Mapping[];
    readonly lost: string[];
    readonly wrapper: string | undefined;
  } {
    const shape = requestShape(this.build.document, placed.call, this.#wrapper);
    const properties = objectOr(shape?.schema['properties']);
    const required = shape?.key === undefined ? requiredNames(shape?.schema ?? {}) : new Set<unknown>();
    const own = new Map([...this.#fields].filter(([name]) => name !== 'id'));
    const made = mappingsOf(this.build, properties, required, shape?.key, own, this.#echoed(placed));
    const files = made.lost.filter((name) => isFile(plain(this.build.document, properties[name]).schema));
    for (const name of files) {
      if (!isIdentifier(name) || !this.#isMultipart(placed)) continue;
      made.lost.splice(made.lost.indexOf(name), 1);
      for (const [field, member] of this.#fileFields(new Set(made.mappings.map((each) => each.field))))
        made.mappings.push({ from: `params.${name}.${member}`, field, how: 'same', required: false, nullable: false });
    }
    for (const name of made.lost) this.#notes.push(`${placed.name}: '${name}' is accepted and not kept`);
    if (made.lost.length > 0)
      this.#questions.push({
        at: ['operations', placed.name],
        ask: `What happens to ${made.lost.slice(0, 6).join(', ')}${made.lost.length > 6 ? ` and ${made.lost.length - 6} more` : ''}, which \`${placed.name}\` accepts and does not keep?`,
        write: `do: [{ set: self, to: { ${made.lost[0]}: =params.${made.lost[0]} } }]`,
        calls:
          1 +
          this.build
            .examplesOf(placed.call)
            .filter(({ sent }) => made.lost.some((name) => name in objectOr(this.#within(sent)))).length,
      });
    return { ...made, wrapper: shape?.key };
  }

  #isMultipart({ call }: Placed): boolean {
    return documentBody(this.build.document, call.operation['requestBody'])?.type.includes('multipart') === true;
  }

  /** Fields that say how large an uploaded file is and what it is called. */
  #fileFields(sent: ReadonlySet<string>): (readonly [string, 'size' | 'name'])[] {
    return [...this.#fields].flatMap(([name, { schema }]): (readonly [string, 'size' | 'name'])[] => {
      const type = schemaTypeName(plain(this.build.document, schema).schema);
      if (sent.has(name)) return [];
      if (type === 'integer' && /^(?:bytes|size|file_?size|size_?(?:in_?)?bytes)$/i.test(name)) return [[name, 'size']];
      return type === 'string' && /^(?:file_?name|original_?name|name)$/i.test(name) ? [[name, 'name']] : [];
    });
  }

  /** Names that every example with them in the request shows unchanged in the response. */
  #echoed({ call }: Placed): ReadonlySet<string> {
    const within = (value: unknown): Node =>
      objectOr(this.#wrapper === undefined ? value : (objectOr(value)[this.#wrapper] ?? value));
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
  #sets(mappings: readonly Mapping[], target: string): Record<string, unknown>[] {
    return mappings.map(({ from, field, how, nullable }) => {
      const takesNull = nullable && this.#fields.get(field)?.nullable === true;
      const value = how === 'merge' ? `\${merge(default(${target}.${field}, {}), ${from})}` : `\${${from}}`;
      return { set: target, to: { [field]: value }, when: takesNull ? `has(${from})` : `${from} != null` };
    });
  }

  /** Whether the standard create and update of the language do what the mappings say. */
  #isPlain(mappings: readonly Mapping[], lost: readonly string[]): boolean {
    return (
      mappings.every(
        ({ from, field, how, nullable }) =>
          from === `params.${field}` && how === 'same' && (!nullable || this.#fields.get(field)?.nullable === true),
      ) && lost.every((name) => !this.#fields.has(name) && name !== this.#ids.field)
    );
  }

  #create(
    placed: Placed,
    head: object,
    params: Record<string, unknown>,
    inRoute: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { mappings, lost } = this.#mappings(placed);
    const response = objectResponse(this.build, placed.call, this.#whole, this.#fields, 'self', this.#notes);
    const parents: Record<string, string> = {};
    for (const [param, field] of this.#parents)
      if (inRoute.has(param) && !this.#isFound(param, inRoute)) parents[field] = `\${params.${inRoute.get(param)}}`;
    const id = this.#idGiven(placed, params, inRoute);
    const direct = Object.entries(parents).every(([field, value]) => value === `\${params.${field}}`);
    const all = { ...head, ...given(params) };
    if (id === undefined && direct && this.#isPlain(mappings, lost)) return { ...all, params, ...response };
    const at_once = Object.fromEntries(
      mappings
        .filter(({ how, required }) => how === 'same' && required)
        .map(({ from, field }) => [field, `\${${from}}`]),
    );
    const rest = mappings.filter(({ field }) => !(field in at_once));
    const values = { ...id?.fields, ...parents, ...at_once };
    return {
      ...all,
      ...response,
      do: [
        {
          create: this.found.name,
          ...(id === undefined ? {} : { id: id.text }),
          ...(Object.keys(values).length > 0 ? { with: values } : {}),
        },
        ...this.#sets(rest, 'self'),
      ],
    };
  }

  /** The id of an object that a call makes, where the call says it. */
  #idGiven(
    { call }: Placed,
    params: Readonly<Record<string, unknown>>,
    inRoute: ReadonlyMap<string, string>,
  ): { readonly text: string; readonly fields: Record<string, string> } | undefined {
    const { natural, file } = this.#ids;
    if (natural !== undefined) return natural in params ? { text: `\${params.${natural}}`, fields: {} } : undefined;
    if (file['key'] === undefined) return undefined;
    const others = namesIn(call.path).filter((name) => !this.found.key.includes(name));
    const parts = this.found.key.map((part, at) => {
      const isLast = at === this.found.key.length - 1;
      const said = [
        inRoute.get(part),
        snake(part),
        isLast ? 'name' : undefined,
        isLast ? 'slug' : undefined,
        isLast ? undefined : inRoute.get(others[at] ?? ''),
      ];
      const param = said.find((name) => name !== undefined && name in params && isIdentifier(name));
      return [keyField(part), param === undefined ? this.#exampleOf(part) : `\${params.${param}}`] as const;
    });
    return { text: parts.map(([, value]) => value).join('/'), fields: Object.fromEntries(parts) };
  }

  /** A part of a key that no call says: as the document shows it. */
  #exampleOf(part: string): string {
    const shown = this.#whole[part];
    const inside = objectOr(shown);
    const value = [shown, inside['login'], inside['name'], inside['slug'], inside['id']].find(
      (each) => typeof each === 'string',
    );
    this.#notes.push(`${part}: no call shows which; '${textOr(value) || 'main'}' here`);
    return (textOr(value) || 'main').replace(/[^\w.-]/g, '-');
  }

  #update(placed: Placed, head: object, params: Record<string, unknown>): Record<string, unknown> {
    const { mappings, lost } = this.#mappings(placed);
    const response = objectResponse(this.build, placed.call, this.#whole, this.#fields, 'self', this.#notes);
    if (this.#isPlain(mappings, lost)) return { ...head, params, ...response };
    return { ...head, ...given(params), ...response, do: this.#sets(mappings, 'self') };
  }

  /** PUT that makes the object where there is none. */
  #upsert(
    placed: Placed,
    head: object,
    params: Record<string, unknown>,
    inRoute: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { mappings } = this.#mappings(placed);
    const parts = this.found.key.map((part) => `\${params.${inRoute.get(part)}}`);
    const id =
      parts.length === 1
        ? `params.${inRoute.get(this.found.key[0])}`
        : this.found.key.map((part) => `params.${inRoute.get(part)}`).join(" + '/' + ");
    const values: Record<string, string> = {};
    if (parts.length > 1) this.found.key.forEach((part, at) => (values[keyField(part)] = parts[at]));
    for (const [param, field] of this.#parents) values[field] = `\${params.${inRoute.get(param)}}`;
    const response = objectResponse(this.build, placed.call, this.#whole, this.#fields, 'it', this.#notes);
    return {
      ...head,
      ...given(params),
      ...response,
      do: [
        {
          create: this.found.name,
          id: parts.join('/'),
          ...(Object.keys(values).length > 0 ? { with: values } : {}),
          when: `get(${this.found.name}, ${id}) == null`,
        },
        { let: { it: `get(${this.found.name}, ${id})` } },
        ...this.#sets(mappings, 'it'),
      ],
    };
  }

  /** What a delete returns with the id of the object that is gone, where the document shows an id. */
  #withOwnId(returned: unknown): { readonly return?: unknown } {
    const { field, file, numeric } = this.#ids;
    const key = field ?? 'id';
    const shown = objectOr(returned)[key];
    if (file['key'] !== undefined || typeof shown !== (numeric ? 'number' : 'string')) return {};
    return { return: { ...objectOr(returned), [key]: numeric ? '${int(self.id)}' : '${self.id}' } };
  }

  #delete(placed: Placed, head: object, params: Record<string, unknown>): Record<string, unknown> {
    const made = stubResponse(this.build, placed.call, this.#notes);
    const { name } = placed;
    const { return: returned, ...bare } = made;
    const response = { ...made, ...this.#withOwnId(returned) };
    // The standard delete returns the tombstone of the pack, which has no members.
    if (name === 'delete' && JSON.stringify(returned) === '{}') return { ...head, ...given(params), ...bare };
    return {
      ...(name === 'delete' ? { kind: 'action' } : {}),
      ...head,
      ...given(params),
      ...response,
      do: [{ delete: 'self' }],
    };
  }
}

/** Names that mean one of the language's own operations. */
const STANDARD: ReadonlySet<string> = new Set(['create', 'retrieve', 'update', 'delete', 'list', 'search']);

/** The first object of a page. */
function firstItem(response: Json): Json {
  if (Array.isArray(response)) return (response as Json[])[0] ?? null;
  const holder = Object.values(objectOr(response)).find((each) => Array.isArray(each) && each.length > 0);
  return Array.isArray(holder) ? (holder as Json[])[0] : null;
}

function keyField(part: string): string {
  return `key_${snake(part)}`;
}

function given(params: Record<string, unknown>): { params?: Record<string, unknown> } {
  return Object.keys(params).length > 0 ? { params } : {};
}

function isOpen(security: unknown): boolean {
  return (
    Array.isArray(security) &&
    (security.length === 0 || security.some((each) => Object.keys(objectOr(each)).length === 0))
  );
}

function isTimestamp(type: unknown): boolean {
  return type === 'timestamp' || type === 'timestamp?' || objectOr(type)['type'] === 'timestamp';
}

function isText(type: unknown): boolean {
  return type === 'string' || type === 'string?' || objectOr(type)['type'] === 'string' || 'ref' in objectOr(type);
}
