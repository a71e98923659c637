import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The type declarations of a client release, as data. */
export interface Declarations {
  /** Schemas by declaration name, such as `Stripe.PaymentIntent.NextAction`. */
  readonly definitions: Readonly<Record<string, DeclaredSchema>>;
  /** Name of the declaration of `data.object` by event type, such as `Stripe.Charge` for `charge.refunded`. */
  readonly eventObjects: Readonly<Record<string, string>>;
}

/** A subset of JSON Schema; a schema without keys accepts anything. */
export interface DeclaredSchema {
  readonly type?: 'null' | 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly items?: DeclaredSchema;
  readonly anyOf?: readonly DeclaredSchema[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, DeclaredSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: DeclaredSchema | false;
}

/** Declarations besides API objects: errors, events, and envelopes of lists. The members' names are only labels. */
const ROOTS = `import type Stripe from 'stripe';
export type { Stripe };
export interface Roots {
  error: Stripe.StripeRawError;
  event: Stripe.EventBase;
  events: Stripe.Event;
  list: Stripe.ApiList<Stripe.Charge>;
  search: Stripe.ApiSearchResult<Stripe.Charge>;
}
`;

/** Request parameters, and the client's own event types. */
const OF_CLIENT = /Params$|EventNotification/;

/** Objects that `ROOTS` contains already: every event type has its own declaration, and all extend one. */
const SURROUNDING = ['event', 'list', 'search_result'];

/**
 * Reads the declarations of a client release with the TypeScript compiler: everything with the name of an API object (`object: 'charge'`), and all
 * types that it refers to. Newer releases declare equal names in several files, which schema generators reject, so names here include the folder,
 * such as `Stripe.Checkout.Session`.
 * @param types path of the declarations of `stripe`
 * @param typeRoots folder of `@types/node`
 * @param scratch path of a temporary TypeScript file
 */
export function extract(types: string, typeRoots: string, scratch: string): Declarations {
  writeFileSync(scratch, ROOTS);
  const program = ts.createProgram([scratch], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [typeRoots],
    baseUrl: dirname(scratch),
    paths: { stripe: [types] },
  });
  rmSync(scratch);
  const source = program.getSourceFile(scratch);
  if (source === undefined) throw new Error(`${scratch} is not read`);
  return new Extraction(program.getTypeChecker(), source, join(dirname(types), 'resources')).run();
}

class Extraction {
  readonly #definitions = new Map<string, DeclaredSchema>();
  readonly #named = new Map<ts.Type, string>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly roots: ts.SourceFile,
    private readonly resources: string,
  ) {}

  run(): Declarations {
    const eventObjects: Record<string, string> = {};
    const { Roots: roots, Stripe: client } = Object.fromEntries(
      this.#exports(this.checker.getSymbolAtLocation(this.roots)).map((each) => [each.name, each]),
    );
    this.#objects(client);
    for (const { name, type } of this.#members(this.checker.getDeclaredTypeOfSymbol(roots))) {
      if (name !== 'events') this.#schema(type);
      else for (const event of partsOf(type)) this.#event(event, eventObjects);
    }
    return { definitions: Object.fromEntries(this.#definitions), eventObjects };
  }

  /** Reads the API objects of a namespace and its nested namespaces. */
  #objects(namespace: ts.Symbol): void {
    for (const symbol of this.#exports(namespace).filter(({ name }) => !OF_CLIENT.test(name))) {
      if (symbol.flags & ts.SymbolFlags.Namespace) this.#objects(symbol);
      if (!(symbol.flags & ts.SymbolFlags.Interface)) continue;
      const type = this.checker.getDeclaredTypeOfSymbol(symbol);
      const object = this.#members(type).find(({ name }) => name === 'object')?.type;
      if (object?.isStringLiteral() && !SURROUNDING.includes(object.value)) this.#schema(type);
    }
  }

  #exports(symbol: ts.Symbol | undefined): ts.Symbol[] {
    return (symbol ? this.checker.getExportsOfModule(symbol) : []).map((each) =>
      each.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(each) : each,
    );
  }

  #event(event: ts.Type, objects: Record<string, string>): void {
    const [type, data] = ['type', 'data'].map((key) => this.#members(event).find(({ name }) => name === key)?.type);
    const object = data && this.#members(data).find(({ name }) => name === 'object')?.type;
    if (!type?.isStringLiteral() || !object) return;
    const { $ref } = this.#schema(object);
    if (typeof $ref === 'string') objects[type.value] = $ref.replace('#/definitions/', '');
  }

  #members(type: ts.Type): { readonly name: string; readonly type: ts.Type; readonly optional: boolean }[] {
    return this.checker.getPropertiesOfType(type).map((symbol) => ({
      name: symbol.name,
      type: this.checker.getTypeOfSymbolAtLocation(symbol, this.roots),
      optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    }));
  }

  #schema(type: ts.Type): DeclaredSchema {
    const { flags } = type;
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.StringLike)
      return type.isStringLiteral() ? { type: 'string', const: type.value } : { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { type: 'boolean', const: this.checker.typeToString(type) === 'true' };
    // Decimals are strings in JSON.
    if (type.aliasSymbol?.name === 'Decimal') return { type: 'string' };
    if (type.isUnion()) return this.#union(partsOf(type));
    if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike))
      return { type: 'string' };
    if (!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return {};
    if (this.checker.isArrayType(type))
      return { type: 'array', items: this.#schema(this.checker.getTypeArguments(type as ts.TypeReference)[0]) };
    const name = this.#nameOf(type);
    if (name === undefined) return this.#object(type);
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, {});
      this.#definitions.set(name, this.#object(type));
    }
    return { $ref: `#/definitions/${name}` };
  }

  #union(parts: readonly ts.Type[]): DeclaredSchema {
    const present = parts.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
    const texts = present.flatMap((part) => (part.isStringLiteral() ? [part.value] : [])).sort();
    const others = present.filter((part) => !part.isStringLiteral()).map((part) => this.#schema(part));
    const all: DeclaredSchema[] = texts.length === 0 ? others : [{ type: 'string', enum: texts }, ...others];
    return all.length === 1 ? all[0] : { anyOf: all };
  }

  #object(type: ts.Type): DeclaredSchema {
    const members = this.#members(type).filter(({ type: of }) => of.getCallSignatures().length === 0);
    const [index] = this.checker.getIndexInfosOfType(type);
    if (members.length === 0)
      return { type: 'object', ...(index ? { additionalProperties: this.#schema(index.type) } : {}) };
    return {
      type: 'object',
      properties: Object.fromEntries(
        members.map(({ name, type: of }) => [name, isNothing(of) ? { type: 'null' } : this.#schema(of)]),
      ),
      required: members.flatMap(({ name, optional }) => (optional ? [] : [name])),
      additionalProperties: index ? this.#schema(index.type) : false,
    };
  }

  /** The name of a type with `Stripe.` and its folder; undefined for anonymous types. */
  #nameOf(type: ts.Type): string | undefined {
    const known = this.#named.get(type);
    if (known !== undefined) return known;
    const symbol = type.aliasSymbol ?? type.getSymbol();
    if (!symbol || symbol.name === '__type' || type.isIntersection()) return undefined;
    const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
    const path = this.checker
      .getFullyQualifiedName(symbol)
      .replace(/^".*"\./, '')
      .replace(/^Stripe\./, '');
    const folder =
      file.startsWith(`${this.resources}/`) && !path.includes('.prototype')
        ? dirname(file.slice(this.resources.length + 1))
        : '.';
    const prefix = folder === '.' || path.startsWith(`${folder}.`) ? '' : `${folder.replaceAll('/', '.')}.`;
    const args = this.checker
      .getTypeArguments(type as ts.TypeReference)
      .map((each) => this.#nameOf(each) ?? this.checker.typeToString(each));
    const name = `Stripe.${prefix}${path}${args.length === 0 || symbol.flags & ts.SymbolFlags.Class ? '' : `<${args.join(',')}>`}`;
    this.#named.set(type, name);
    return name;
  }
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/** Whether a member is declared as `deleted?: void`, which means that it is always absent. */
function isNothing(type: ts.Type): boolean {
  return partsOf(type).every(({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}
