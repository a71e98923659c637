import type { Json } from '../../../engine/values/index.js';
import type { Schema } from '../../../engine/model/index.js';
import type { Program } from '../../../engine/program/index.js';
import type { Dice } from '../simulate/dice.js';
import { NUMBERS, odd, SCHEMAS, TEXTS } from './oddities.js';

/** Maximum number of ids kept for reuse. */
const MOST_IDS = 400;
/** Maximum number of values kept per parameter name. */
const MOST_NAMED = 20;
/** Percentages of optional parameters: most calls without any succeed, and few with many do. */
const OPTIONAL = [0, 5, 15, 40];

/** Generates parameter values from a pack's declarations and ids that its world has returned. */
export class ParameterValues {
  readonly #ids: string[] = [];
  readonly #byPrefix = new Map<string, string[]>();
  readonly #magic: readonly string[];
  /** Texts in responses by member name, for parameters of the same name. */
  readonly #named: ReadonlyMap<string, string[]>;

  constructor(
    private readonly program: Program,
    private readonly dice: Dice,
  ) {
    const names = program.operations.flatMap(({ params, routes }) => [
      ...params().keys(),
      ...routes.flatMap((route) => route.names),
    ]);
    this.#named = new Map(names.map((name) => [name, []]));
    this.#magic = program.magic.families.flatMap((family) => [...family.values().keys()]);
  }

  /** Collects the ids in a response, and values of members with a parameter's name. */
  addIds(text: string): void {
    for (const [, name, value] of text.matchAll(/"(\w+)":\s*"([^"\\]{1,200})"/g)) {
      const known = this.#named.get(name);
      if (!known || known.includes(value)) continue;
      known.push(value);
      if (known.length > MOST_NAMED) known.shift();
    }
    for (const [, id] of text.matchAll(/"id":\s*"([\w-]{3,80})"/g)) {
      if (this.#ids.includes(id)) continue;
      this.#ids.push(id);
      if (this.#ids.length > MOST_IDS) this.#ids.splice(0, MOST_IDS / 4);
      const prefix = /^[a-z]+_/.exec(id)?.[0] ?? '';
      const known = this.#byPrefix.get(prefix) ?? [];
      known.push(id);
      this.#byPrefix.set(prefix, known.slice(-40));
    }
  }

  /** Discards collected ids, since the world was reset. */
  forget(): void {
    this.#ids.length = 0;
    this.#byPrefix.clear();
    for (const known of this.#named.values()) known.length = 0;
  }

  /** Chooses any id that was returned: of an object, a trace, a fault, a world. */
  anyId(): string {
    return this.#ids.length > 0 ? this.dice.one(this.#ids) : 'x';
  }

  params(schemas: ReadonlyMap<string, Schema>, except: readonly string[]): Record<string, Json> {
    const made: Record<string, Json> = {};
    const share = Math.min(this.dice.one(OPTIONAL), 600 / schemas.size);
    for (const [name, schema] of schemas) {
      if (except.includes(name)) continue;
      if (this.dice.chance(schema.required === true ? 95 : share)) made[name] = this.named(name) ?? this.of(schema, 0);
    }
    return made;
  }

  /** Chooses a text that a response contained in a member of this name. */
  named(name: string): string | undefined {
    const known = this.#named.get(name) ?? [];
    return known.length > 0 && this.dice.chance(60) ? this.dice.one(known) : undefined;
  }

  of(schema: Schema, depth: number): Json {
    const { dice } = this;
    if (dice.chance(4)) return odd(dice);
    if (depth > 5) return null;
    switch (schema.kind) {
      case 'ref':
        return this.refTo(schema.refs);
      case 'enum':
        return dice.one(schema.values.length > 0 ? schema.values : ['x']);
      case 'const':
        return schema.constant;
      case 'integer':
      case 'number':
        return dice.chance(70) ? (schema.min ?? 1) + dice.below(3000) : dice.one(NUMBERS);
      case 'boolean':
        return dice.chance(50);
      case 'timestamp':
        return dice.chance(70) ? 1_736_942_400 + dice.below(40_000_000) : dice.one(NUMBERS);
      case 'json_schema':
        return dice.one(SCHEMAS);
      case 'array':
        return Array.from({ length: dice.below(4) }, () => this.of(schema.items, depth + 1));
      case 'map':
        return { a: schema.of ? this.of(schema.of, depth + 1) : 'b' };
      case 'object':
        return Object.fromEntries(
          [...schema.fields]
            .filter(([, field]) => field.required === true || dice.chance(40))
            .map(([name, field]) => [name, this.of(field, depth + 1)]),
        );
      case 'one_of':
        return this.of(dice.one(schema.options), depth + 1);
      default:
        return dice.chance(60)
          ? dice.one(['usd', 'Ann', 'a@example.com', 'https://example.com/x', 'card', 'US', ...this.#magic])
          : dice.one(TEXTS);
    }
  }

  /** Chooses the id of an object of one of these resources. */
  refTo(resources: readonly string[]): string {
    const { dice } = this;
    const def = this.program.model.byName.get(dice.one(resources));
    const known = this.#byPrefix.get(def?.ids.prefix ?? '') ?? [];
    if (known.length > 0 && dice.chance(85)) return dice.one(known);
    return dice.chance(50) && this.#magic.length > 0 ? dice.one(this.#magic) : `${def?.ids.prefix ?? ''}none`;
  }
}
