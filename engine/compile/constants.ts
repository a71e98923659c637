import type { Json } from '../expression/index.js';

/** Something that gives a value; the value itself where it is always the same. */
export interface MaybeConstant {
  readonly constant?: Json;
}

/** Gives the same value every time. */
export function always(value: Json): (() => Json) & { readonly constant: Json } {
  return Object.assign(() => value, { constant: value });
}

/** The fields whose values are always the same, as an object, and the others. */
export function splitConstants<T extends MaybeConstant>(
  fields: readonly (readonly [string, T])[],
): {
  readonly constants: Record<string, Json>;
  readonly others: readonly { readonly name: string; readonly give: T }[];
} {
  const constants: Record<string, Json> = {};
  const others: { name: string; give: T }[] = [];
  for (const [name, give] of fields) {
    if (give.constant === undefined) others.push({ name, give });
    else constants[name] = give.constant;
  }
  return { constants, others };
}
