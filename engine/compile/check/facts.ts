import { rulesOf, type Schema, keyIn } from '../../model/index.js';
import { suggest } from '../../pack/index.js';
import type { Operation } from '../../program/index.js';
import { differsIn } from '../facts-differs.js';
import type { LinkedFacts } from '../facts.js';
import type { CompiledPack } from '../pack.js';

/** A difference between a declared parameter and the vendor's document. */
interface Contradiction {
  readonly message: string;
  readonly suggestion?: string;
}

/**
 * Checks facts.yaml, and warns of parameters that the pack and the vendor's document declare differently: one of them is wrong,
 * or facts.yaml must declare the difference.
 */
export function checkFacts(pack: CompiledPack): void {
  const { facts } = pack;
  if (facts === null) return;
  facts.check();
  const seen = new Set<Schema>();
  for (const operation of pack.operations) {
    const documented = facts.paramsOf(operation);
    if (documented === null || documented.size === 0) continue;
    const walk = new Walk(pack, facts, operation, seen);
    const known = new Set(operation.routes.flatMap(({ names }) => names));
    for (const [name, schema] of operation.params()) if (!known.has(name)) walk.param(schema, documented, name, name);
  }
}

class Walk {
  readonly #route: string;

  constructor(
    private readonly pack: CompiledPack,
    private readonly facts: LinkedFacts,
    operation: Operation,
    /** Types that were compared already: a type that several operations share is reported once. */
    private readonly seen: Set<Schema>,
  ) {
    this.#route = facts.routeOfOperation(operation) ?? '';
  }

  param(own: Schema, documented: ReadonlyMap<string, Schema>, name: string, path: string): void {
    const fact = documented.get(name);
    if (fact !== undefined) return this.#type(own, fact, path);
    if (this.facts.file.partial === true || this.#differs(path, 'unknown') || this.#isOfPack(own)) return;
    this.#warn(own, 'undocumented-parameter', {
      message: `the document has no '${path}' for ${this.#route}; if the vendor has it, say so in \`differs\` of facts.yaml (unknown)`,
      suggestion: suggest(name, documented.keys()),
    });
  }

  #type(own: Schema, fact: Schema, path: string): void {
    const options = fact.kind === 'one_of' ? fact.options : [fact];
    const like = options.find((option) => isLike(own, option));
    if (like === undefined) {
      const kinds = [...new Set(options.map(({ kind }) => kind))].join(' or ');
      return this.#warn(own, 'contradicts-facts', {
        message: `'${path}' is ${own.kind} here and ${kinds} in the document (${this.#route})`,
        suggestion: options[0].kind,
      });
    }
    const found = valuesAgainst(own, options, path) ?? boundsAgainst(own, like, path);
    if (found !== undefined) this.#warn(own, 'contradicts-facts', found);
    if (own.kind === 'object' && like.kind === 'object')
      for (const [key, inner] of own.fields) this.param(inner, like.fields, key, `${path}.${key}`);
    if (own.kind === 'array' && like.kind === 'array') this.#type(own.items, like.items, path);
  }

  #warn(
    { place }: Schema,
    code: 'contradicts-facts' | 'undocumented-parameter',
    { message, suggestion }: Contradiction,
  ): void {
    this.pack.model.diagnostics.warning(keyIn(place), code, message, { suggestion });
  }

  #differs(path: string, rule: 'unknown'): boolean {
    return differsIn(this.facts.file.differs ?? [], this.#route, path, rule);
  }

  /**
   * Whether to skip a type: it was compared already, or it belongs to a parameter of pack.yaml (paging, keys, expansion), which
   * the engine itself reads.
   */
  #isOfPack(own: Schema): boolean {
    if (this.seen.has(own)) return true;
    this.seen.add(own);
    return own.place.file.kind === 'pack';
  }
}

/** Returns the problem of values that the document doesn't have; undefined: it has all. */
function valuesAgainst(own: Schema, options: readonly Schema[], path: string): Contradiction | undefined {
  const values = own.kind === 'enum' ? own.values : own.kind === 'const' ? [String(own.constant)] : [];
  const known = options.flatMap((option) => (option.kind === 'enum' ? option.values : []));
  if (known.length === 0 || options.some(({ kind }) => kind === 'string')) return undefined;
  const other = values.find((value) => !known.includes(value));
  if (other === undefined) return undefined;
  const shown = known.length > MOST_SHOWN ? '' : `; it has ${known.join(', ')}`;
  return {
    message: `'${path}' takes '${other}', which the document doesn't have${shown}`,
    suggestion: suggest(other, known),
  };
}

const MOST_SHOWN = 12;

/** Returns the problem of bounds that are wider than the document's; undefined: none is. */
function boundsAgainst(own: Schema, fact: Schema, path: string): Contradiction | undefined {
  const [mine, theirs] = [rulesOf(own), rulesOf(fact)];
  for (const key of ['min', 'max', 'max_length'] as const) {
    const [value, limit] = [mine[key], theirs[key]];
    if (value === undefined || limit === undefined) continue;
    if (key === 'min' ? value >= limit : value <= limit) continue;
    return {
      message: `'${path}' has \`${key}: ${value}\` here and ${limit} in the document`,
      suggestion: `${key}: ${limit}`,
    };
  }
  return undefined;
}

/** Whether a value of the declared type can be valid in the document. */
function isLike({ kind: own }: Schema, { kind: fact }: Schema): boolean {
  if (fact === 'any' || own === 'any' || own === 'one_of' || own === 'json_schema' || own === fact) return true;
  return LIKE[own]?.includes(fact) === true;
}

const TEXTS = ['string', 'enum', 'const', 'ref', 'timestamp'];
const LIKE: Readonly<Record<string, readonly string[]>> = {
  string: TEXTS,
  enum: TEXTS,
  const: [...TEXTS, 'boolean', 'integer'],
  ref: [...TEXTS, 'integer'],
  timestamp: [...TEXTS, 'integer'],
  integer: ['number'],
  number: ['integer'],
  map: ['object'],
  object: ['map'],
};
