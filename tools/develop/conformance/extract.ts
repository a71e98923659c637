import { dirname, join } from 'node:path';
import ts from 'typescript';

/** JSON Schemas by declaration name, and the declaration of `data.object` by event type. */
interface Extracted {
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly eventObjects: Readonly<Record<string, string>>;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Reads the declarations of a release of the client with the compiler itself. Newer releases declare equal names in many
 * files, which generators of schemas reject: here a name says its folder too, such as `Stripe.Checkout.Session`.
 * @param roots a file that imports `stripe` and exports the interface `Roots` of all wanted shapes
 * @param types the declarations that `stripe` stands for
 * @param typeRoots where `@types/node` lies
 */
export function extract(roots: string, types: string, typeRoots: string): Extracted {
  const program = ts.createProgram([roots], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [typeRoots],
    baseUrl: dirname(roots),
    paths: { stripe: [types] },
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(roots);
  const declared = source?.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === 'Roots');
  if (declared === undefined) throw new Error(`${roots} declares no interface Roots`);
  return new Extraction(checker, declared, join(dirname(types), 'resources')).run();
}

class Extraction {
  readonly #definitions = new Map<string, Schema>();
  readonly #named = new Map<ts.Type, string>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly roots: ts.Node,
    private readonly resources: string,
  ) {}

  run(): Extracted {
    const eventObjects: Record<string, string> = {};
    for (const { name, type } of this.#members(this.checker.getTypeAtLocation(this.roots))) {
      if (name !== 'events') this.#schema(type);
      else for (const event of partsOf(type)) this.#event(event, eventObjects);
    }
    return { definitions: Object.fromEntries(this.#definitions), eventObjects };
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

  #schema(type: ts.Type): Schema {
    const { flags } = type;
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.StringLike)
      return type.isStringLiteral() ? { type: 'string', const: type.value } : { type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { type: 'number' };
    if (flags & ts.TypeFlags.BooleanLiteral)
      return { type: 'boolean', const: this.checker.typeToString(type) === 'true' };
    // Decimals are texts on the wire.
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

  #union(parts: readonly ts.Type[]): Schema {
    const present = parts.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
    const texts = present.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    const others = present.filter((part) => !part.isStringLiteral()).map((part) => this.#schema(part));
    const all = texts.length === 0 ? others : [{ type: 'string', enum: texts }, ...others];
    return all.length === 1 ? all[0] : { anyOf: all };
  }

  #object(type: ts.Type): Schema {
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

  /** `Stripe.`, the folder of the declaration, and its own name; undefined for types without a name. */
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

/** `deleted?: void`: a member that is never there. */
function isNothing(type: ts.Type): boolean {
  return partsOf(type).every(({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}
