import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { documentBody, objectOr, textOr } from './document.js';
import { keyField } from './ids.js';
import { Kept } from './kept.js';
import { listOperation } from './list-operation.js';
import { isIdentifier, namesIn, snake, STANDARD } from './names.js';
import type { ShownObjects } from './objects.js';
import { clean, given, isOpen, optionalType, paramsOf, requiredType, routeOf } from './params.js';
import type { Remarks } from './questions.js';
import { createdResponse, objectResponse, stubResponse } from './responses.js';
import { flagged, type StateFound, stepsTo } from './state.js';
import { streamKeys } from './streams.js';
import { placeInRequest, requestShape, requiredNames, shownObject } from './shapes.js';
import { deletionMark } from './soft-delete.js';
import { type Placed, responseSchema, type SurveyedResource } from './survey.js';

/** Builds the operations of a resource from the document. */
export class Operations {
  readonly #kept: Kept;
  /** By operation: parameters that have the name of a field but aren't stored in it. */
  get unkept(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#kept.unkept;
  }

  constructor(
    private readonly build: Build,
    private readonly found: SurveyedResource,
    private readonly objects: ShownObjects,
    private readonly state: StateFound | undefined,
    private readonly remarks: Remarks,
  ) {
    this.#kept = new Kept(build, objects, remarks);
  }

  /** All operations by name. */
  all(): Record<string, unknown> {
    return Object.fromEntries(
      this.found.calls.map((each) => [each.name, this.#streaming(each, this.#operation(each))]),
    );
  }

  /** Adds a stream to an operation if the document shows chunks. */
  #streaming({ call, kind }: Placed, operation: Record<string, unknown>): Record<string, unknown> {
    if ('content' in operation || 'let' in operation || kind === 'list' || kind === 'delete') return operation;
    const streamed = streamKeys(this.build, call, objectOr(operation['params']), kind !== 'upsert');
    return streamed === undefined ? operation : { ...operation, ...streamed };
  }

  #operation(placed: Placed): Record<string, unknown> {
    const { kind, name, call } = placed;
    const { build } = this;
    const { params, names, body } = paramsOf(
      build,
      call,
      kind === 'update' && call.method !== 'put' && this.objects.wrapper === undefined && this.#sendsWhole(call),
    );
    const inRoute = this.#routeNames(placed, names);
    for (const [param, own] of inRoute) {
      const declared = names.get(param) ?? '';
      const isOwn = own === 'id' || (this.found.key.length > 1 && this.found.key.includes(param));
      if (own !== declared || (isOwn && !['create', 'list', 'upsert'].includes(kind))) delete params[declared];
    }
    for (const param of this.found.parents) {
      const own = inRoute.get(param) ?? snake(param);
      if (kind !== 'upsert' && this.objects.isFound(param, inRoute)) delete params[own];
      else if (own in params) params[own] = clean({ ...this.objects.parentType(param), required: true });
    }
    // An update identifies its object in the path, so the body need not repeat the id.
    const idField = this.objects.ids.field ?? 'id';
    if (kind === 'update' && 'id' in params && [...inRoute.values()].includes('id')) delete params['id'];
    if (kind === 'update' && idField in params) params[idField] = optionalType(params[idField]);
    const { natural } = this.objects.ids;
    if (kind === 'create' && natural !== undefined && natural in params)
      params[natural] = requiredType(params[natural]);
    const route = routeOf(build, call, inRoute);
    const security =
      build.secured && call.operation['security'] !== undefined && isOpen(call.operation['security'])
        ? { open: true }
        : {};
    const isOne = this.found.isSingle === true && this.found.parents.length > 0;
    const isAction = kind === 'action' || kind === 'upsert' || isOne;
    const named = isAction ? (STANDARD.has(name) ? { kind: 'action' } : {}) : name === kind ? {} : { kind };
    const head = { ...named, route, ...('open' in security ? security : build.scopesOf(call)), ...body };
    if (isOne) return this.#ofParent(placed, head, params, inRoute);
    switch (kind) {
      case 'list':
        return listOperation(build, this.found, this.objects, this.remarks, placed, head, params, inRoute);
      case 'create':
        return this.#create(placed, head, params, inRoute);
      case 'update':
        return this.#update(placed, head, params);
      case 'upsert':
        return this.#upsert(placed, head, params, inRoute);
      case 'delete':
        if (this.found.isSingle === true)
          return { ...head, ...given(params), ...stubResponse(build, call, this.remarks.notes) };
        return this.#delete(placed, { route, ...security }, params);
      case 'action':
        return { ...head, ...given(params), ...this.#acted(placed), ...this.#does(placed) };
      default:
        return {
          ...head,
          ...given(params),
          ...this.#response(call),
        };
    }
  }

  /** Whether an update has the same body schema as create; its required members are then optional. */
  #sendsWhole(call: DocumentedCall): boolean {
    const bodyOf = (each: DocumentedCall): string =>
      JSON.stringify(documentBody(this.build.document, each.operation['requestBody'])?.schema ?? null);
    return this.found.calls.some((other) => other.kind === 'create' && bodyOf(other.call) === bodyOf(call));
  }

  /** The effects of an action that the document shows: a state, flags, and a time. */
  #does(placed: Placed): Record<string, unknown> {
    const { name } = placed;
    const to = this.state?.after.get(name);
    const values = flagged(name, this.objects);
    const flags = Object.keys(values).length === 0 ? [] : [{ set: 'self', to: values }];
    if (this.state === undefined || to === undefined) {
      if (flags.length > 0) return { do: flags };
      this.remarks.notes.push(`${name}: returns the object unchanged; write what it does (\`do:\`)`);
      this.#ask(
        placed,
        `What does \`${name}\` change?`,
        'params: { NAME: string }, do: [{ set: self, to: { FIELD: =params.NAME } }]',
      );
      return {};
    }
    return { do: [...stepsTo(this.state, this.objects, to, name), ...flags] };
  }

  /** Adds a question about a call; a call with more examples is more important. */
  #ask({ name, call }: Placed, ask: string, write: string): void {
    const calls = 1 + this.build.examplesOf(call).length;
    this.remarks.questions.push({ at: ['operations', name], ask, write, calls });
  }

  /** Returns the object if the document accepts it, else the documented response. @param name of the object in the steps */
  #response(call: DocumentedCall, name: 'self' | 'it' = 'self'): ReturnType<typeof objectResponse> {
    const { whole, fields, names } = this.objects;
    return objectResponse(this.build, call, whole, fields, name, names, this.remarks.notes);
  }

  /** The response of an action: the object, or the documented response. */
  #acted({ call }: Placed): Record<string, unknown> {
    const response = this.#response(call);
    return 'return' in response || 'content' in response ? { ...response } : { ...response, return: '${rest(self)}' };
  }

  /** The pack's names of path parameters; the object's own id becomes `{id}`. */
  #routeNames({ kind, call }: Placed, names: ReadonlyMap<string, string>): Map<string, string> {
    const own = new Map(names);
    if (kind === 'create' || kind === 'list' || kind === 'upsert') return own;
    if (this.found.isSingle === true) return own;
    if (this.found.key.length > 1) for (const part of this.found.key) own.set(part, snake(part));
    else own.set(namesIn(call.path)[this.found.parents.length], 'id');
    return own;
  }

  #create(
    placed: Placed,
    head: object,
    params: Record<string, unknown>,
    inRoute: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { mappings, holder } = this.#kept.of(placed);
    const { whole, once, names } = this.objects;
    const response = createdResponse(this.build, placed.call, whole, once, names) ?? this.#response(placed.call);
    const parents: Record<string, string> = {};
    for (const [param, field] of this.objects.parents)
      if (inRoute.has(param) && !this.objects.isFound(param, inRoute))
        parents[field] = `\${params.${inRoute.get(param)}}`;
    const id = this.#idGiven(placed, params, inRoute);
    const direct = Object.entries(parents).every(([field, value]) => value === `\${params.${field}}`);
    const all = { ...head, ...given(params) };
    const children = this.#children(placed, params);
    if (id === undefined && direct && children.length === 0 && this.#kept.isPlain(mappings))
      return { ...all, params, ...response };
    const { from, values, steps } = this.#kept.made(mappings, holder);
    // `from` already stores this parameter.
    const others = Object.entries(parents).filter(
      ([field, value]) => from !== 'params' || value !== `\${params.${field}}`,
    );
    const fields = { ...id?.fields, ...Object.fromEntries(others), ...values };
    return {
      ...all,
      ...response,
      do: [
        {
          create: this.found.name,
          ...(id === undefined ? {} : { id: id.text }),
          ...(from === undefined ? {} : { from }),
          ...(Object.keys(fields).length > 0 ? { with: fields } : {}),
        },
        ...steps,
        ...children,
      ],
    };
  }

  /** Steps that create the child objects in a request. */
  #children({ call }: Placed, params: Readonly<Record<string, unknown>>): readonly unknown[] {
    return [...this.objects.children].flatMap(([name, { create, parent, wrapper }]) => {
      const place = this.#placeOf(name, call, params);
      if (place === undefined) return [];
      const item = wrapper === undefined ? 'item' : `{'${wrapper}': item}`;
      const made = { call: create, with: `\${merge(${item}, {'${parent}': self.id})}` };
      return [{ for: 'item', in: `default(${place}, [])`, do: [made] }];
    });
  }

  /** The location of a member in a request: at the top, or in the object's wrapper. */
  #placeOf(name: string, call: DocumentedCall, params: Readonly<Record<string, unknown>>): string | undefined {
    if (name in params) return `params.${name}`;
    const shape = requestShape(this.build.document, call, this.objects.wrapper);
    const holder = shape && placeInRequest(shape);
    return holder !== undefined && name in objectOr(shape?.schema['properties'])
      ? `params.${holder}.${name}`
      : undefined;
  }

  /** The id of the created object, if the request contains it. */
  #idGiven(
    { call }: Placed,
    params: Readonly<Record<string, unknown>>,
    inRoute: ReadonlyMap<string, string>,
  ): { readonly text: string; readonly fields: Record<string, string> } | undefined {
    const { natural, file } = this.objects.ids;
    if (natural !== undefined) {
      const place = this.#placeOf(natural, call, params);
      return place === undefined ? undefined : { text: `\${${place}}`, fields: {} };
    }
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

  /** The documented example of a part of the key that requests don't contain. */
  #exampleOf(part: string): string {
    const shown = this.objects.whole[part];
    const inside = objectOr(shown);
    const value = [shown, inside['login'], inside['name'], inside['slug'], inside['id']].find(
      (each) => typeof each === 'string',
    );
    this.remarks.notes.push(`${part}: no call shows which; '${textOr(value) || 'main'}' here`);
    return (textOr(value) || 'main').replace(/[^\w.-]/g, '-');
  }

  #update(placed: Placed, head: object, params: Record<string, unknown>): Record<string, unknown> {
    const { mappings, holder } = this.#kept.of(placed);
    const response = this.#response(placed.call);
    const isPlain = this.#kept.isPlain(mappings);
    const first = this.#replaces(placed) ? this.#kept.firstValues(mappings) : {};
    const resets = Object.keys(first).length > 0 ? [{ set: 'self', to: first }] : [];
    if (isPlain && resets.length === 0) return { ...head, params, ...response };
    return { ...head, ...given(params), ...response, do: [...resets, ...this.#kept.changed(mappings, holder, 'self')] };
  }

  /** Whether PUT replaces the object: if there is also PATCH, or if it requires the same members as create. */
  #replaces({ call }: Placed): boolean {
    if (call.method !== 'put') return false;
    if (this.found.calls.some((other) => other.call.method === 'patch' && other.call.path === call.path)) return true;
    const required = (each: DocumentedCall): unknown[] => [
      ...requiredNames(requestShape(this.build.document, each, this.objects.wrapper)?.schema ?? {}),
    ];
    const own = new Set(required(call));
    return (
      own.size > 0 &&
      this.found.calls.some(
        ({ kind, call: made }) => kind === 'create' && required(made).every((name) => own.has(name)),
      )
    );
  }

  /** PUT that creates the object if it doesn't exist. */
  #upsert(
    placed: Placed,
    head: object,
    params: Record<string, unknown>,
    inRoute: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { mappings, holder } = this.#kept.of(placed);
    const parts = this.found.key.map((part) => `\${params.${inRoute.get(part)}}`);
    const id =
      parts.length === 1
        ? `params.${inRoute.get(this.found.key[0])}`
        : this.found.key.map((part) => `params.${inRoute.get(part)}`).join(" + '/' + ");
    const values: Record<string, string> = {};
    if (parts.length > 1) this.found.key.forEach((part, at) => (values[keyField(part)] = parts[at]));
    for (const [param, field] of this.objects.parents) values[field] = `\${params.${inRoute.get(param)}}`;
    const response = this.#response(placed.call, 'it');
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
        ...this.#kept.changed(mappings, holder, 'it'),
      ],
    };
  }

  /** Adapts a call of a parent's only object, which the first call creates. */
  #ofParent(
    placed: Placed,
    head: object,
    params: Record<string, unknown>,
    inRoute: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const { kind, call } = placed;
    const { name, parents } = this.found;
    const parts = parents.map((param) => `params.${inRoute.get(param)}`);
    const id = parts.join(" + '/' + ");
    const it = `get(${name}, ${id})`;
    const all = { ...head, ...given(params) };
    if (kind === 'delete')
      return {
        ...all,
        ...stubResponse(this.build, call, this.remarks.notes),
        do: [{ let: { it } }, { delete: 'it', when: 'it != null' }],
      };
    const fields = [...this.objects.parents].map(([param, field]) => [field, `\${params.${inRoute.get(param)}}`]);
    const { mappings, holder } = kind === 'update' ? this.#kept.of(placed) : { mappings: [], holder: undefined };
    const changes = this.#kept.changed(mappings, holder, 'it');
    return {
      ...all,
      ...this.#response(call, 'it'),
      do: [
        {
          create: name,
          id: parts.map((each) => `\${${each}}`).join('/'),
          with: Object.fromEntries(fields) as unknown,
          when: `${it} == null`,
        },
        { let: { it } },
        ...changes,
      ],
    };
  }

  /** The documented response of a delete, with the deleted object's own id. */
  #withOwnId(returned: unknown): { readonly return?: unknown } {
    const { field, file, numeric } = this.objects.ids;
    const key = field ?? 'id';
    const shown = objectOr(returned)[key];
    if (file['key'] !== undefined || typeof shown !== (numeric ? 'number' : 'string')) return {};
    return { return: { ...objectOr(returned), [key]: numeric ? '${int(self.id)}' : '${self.id}' } };
  }

  #delete(placed: Placed, head: object, params: Record<string, unknown>): Record<string, unknown> {
    const { name, call } = placed;
    const all = { ...(name === 'delete' ? { kind: 'action' } : {}), ...head, ...given(params) };
    const mark = deletionMark(this.found, this.objects);
    if (mark !== undefined) return { ...all, ...this.#acted(placed), do: [{ set: 'self', to: mark.values }] };
    if (this.#showsObject(call))
      return { ...all, ...this.#response(call, 'it'), do: [{ let: { it: 'self' } }, { delete: 'self' }] };
    const made = stubResponse(this.build, call, this.remarks.notes);
    const { return: returned, ...bare } = made;
    const response = { ...made, ...this.#withOwnId(returned) };
    // The standard delete returns the pack's tombstone, which is empty.
    if (name === 'delete' && JSON.stringify(returned) === '{}') return { ...head, ...given(params), ...bare };
    return { ...all, ...response, do: [{ delete: 'self' }] };
  }

  /** Whether a call's response has the same schema as the calls that read an object. */
  #showsObject(call: DocumentedCall): boolean {
    const { document } = this.build;
    const shown = shownObject(document, responseSchema(document, call), this.objects.names);
    const names = Object.keys(objectOr(shown?.schema['properties']));
    return names.length > 2 && names.filter((name) => this.objects.fields.has(name)).length * 2 > names.length;
  }
}
