import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The type declarations of a client release, as data. */
export interface Declarations {
  /** Objects by declaration name, such as `Stripe.PaymentIntent.NextAction`. */
  readonly definitions: Readonly<Record<string, DeclaredObject>>;
  /** Name of the declaration of `data.object` by event type, such as `Stripe.Charge` for `charge.refunded`. */
  readonly eventObjects: Readonly<Record<string, string>>;
}

/** The values that a type allows, by JSON type; for a union, the values of all members together. */
export interface DeclaredValue {
  readonly any?: true;
  readonly null?: true;
  readonly number?: true;
  readonly booleans?: readonly boolean[];
  /** Allowed strings; `true` allows any string. */
  readonly strings?: true | readonly string[];
  readonly items?: DeclaredValue;
  /** Allowed objects: names of declarations, or objects without a name. */
  readonly objects?: readonly (string | DeclaredObject)[];
}

/** The members of an object type. */
export interface DeclaredObject {
  readonly fields: Readonly<Record<string, DeclaredValue>>;
  readonly required: readonly string[];
  /** The allowed values of all other keys; null if there are no other keys. */
  readonly rest: DeclaredValue | null;
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

/** Matches names of declarations that no response contains: request parameters, and the client's own event types. */
const OF_CLIENT = /Params$|EventNotification/;

/** API objects that aren't collected by name, because `ROOTS` refers to them; every event type has its own declaration. */
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

const NOTHING_KNOWN: DeclaredObject = { fields: {}, required: [], rest: null };

class Extraction {
  readonly #definitions = new Map<string, DeclaredObject>();
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
      if (name !== 'events') this.#value(type);
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
      if (object?.isStringLiteral() && !SURROUNDING.includes(object.value)) this.#value(type);
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
    const { objects: [name, ...others] = [] } = this.#value(object);
    // An event with several possible objects isn't recorded: the object's own `object` member selects the declaration.
    if (typeof name === 'string' && others.length === 0) objects[type.value] = name;
  }

  #members(type: ts.Type): { readonly name: string; readonly type: ts.Type; readonly optional: boolean }[] {
    return this.checker.getPropertiesOfType(type).map((symbol) => ({
      name: symbol.name,
      type: this.checker.getTypeOfSymbolAtLocation(symbol, this.roots),
      optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    }));
  }

  #value(type: ts.Type): DeclaredValue {
    const { flags } = type;
    if (flags & ts.TypeFlags.Null) return { null: true };
    if (flags & ts.TypeFlags.StringLike) return { strings: type.isStringLiteral() ? [type.value] : true };
    if (flags & ts.TypeFlags.NumberLike) return { number: true };
    if (flags & ts.TypeFlags.BooleanLiteral) return { booleans: [this.checker.typeToString(type) === 'true'] };
    // The client's decimals are strings in JSON.
    if (type.aliasSymbol?.name === 'Decimal') return { strings: true };
    if (type.isUnion())
      return partsOf(type)
        .filter((part) => !isNothing(part))
        .map((part) => this.#value(part))
        .reduce(merged);
    if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike))
      return { strings: true };
    if (!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return { any: true };
    if (this.checker.isArrayType(type))
      return { items: this.#value(this.checker.getTypeArguments(type as ts.TypeReference)[0]) };
    const name = this.#nameOf(type);
    if (name === undefined) return { objects: [this.#object(type)] };
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, NOTHING_KNOWN);
      this.#definitions.set(name, this.#object(type));
    }
    return { objects: [name] };
  }

  #object(type: ts.Type): DeclaredObject {
    const members = this.#members(type).filter(({ type: of }) => of.getCallSignatures().length === 0);
    const [index] = this.checker.getIndexInfosOfType(type);
    const rest = index ? this.#value(index.type) : null;
    // An interface without members declares an object with unknown content.
    if (members.length === 0) return { ...NOTHING_KNOWN, rest: rest ?? { any: true } };
    return {
      fields: Object.fromEntries(
        members.map(({ name, type: of }) => [name, isNothing(of) ? { null: true } : this.#value(of)]),
      ),
      required: members.flatMap(({ name, optional }) => (optional ? [] : [name])),
      rest,
    };
  }

  /** Returns the name of a type with `Stripe.` and its folder; undefined for anonymous types. */
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

function merged(one: DeclaredValue, other: DeclaredValue): DeclaredValue {
  const isAnyString = one.strings === true || other.strings === true;
  const [ones, others] = [one, other].map(({ strings }) => (Array.isArray(strings) ? (strings as string[]) : []));
  return {
    ...one,
    ...other,
    booleans: [...(one.booleans ?? []), ...(other.booleans ?? [])],
    strings: isAnyString || [...new Set([...ones, ...others])].sort(),
    items: one.items && other.items ? merged(one.items, other.items) : (one.items ?? other.items),
    objects: [...(one.objects ?? []), ...(other.objects ?? [])],
  };
}
