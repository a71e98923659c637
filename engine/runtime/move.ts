import { type Json, type JsonObject, isList, isObject } from '../values/index.js';
import type { ResourceProgram } from '../program/index.js';
import { referringFields } from '../model/index.js';
import { Row, Timer } from '../world/index.js';
import type { Command } from './command.js';

/** New ids of one resource's moved objects, by their old ids. */
type Moves = Map<string, string>;

/**
 * Changes the id of an object, with its references, timers and pins. Objects whose ids begin with its id (`a/b/7` of `a/b`) get
 * new ids too.
 * @throws Rejection (`id_invalid`, `id_taken`) if the id is invalid or another object has it
 */
export function moveObject(command: Command, resource: ResourceProgram, row: Row, id: string): void {
  if (id === row.id) return;
  // Another spelling of the object's own id isn't checked for being taken.
  const isSame = command.row(resource.index, id) === row;
  new Move(command).all(resource, row, isSame ? id : command.ownId(resource.def, id));
}

class Move {
  /** New ids of the objects moved so far, by the number of their resource. */
  readonly #moves = new Map<number, Moves>();
  /** Moved objects, by their old ids, whose references are still to be changed. */
  readonly #waiting: { readonly resource: ResourceProgram; readonly from: string }[] = [];

  constructor(private readonly command: Command) {}

  all(resource: ResourceProgram, row: Row, id: string): void {
    this.#move(resource, row, id);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      this.#follow(next.resource, next.from);
  }

  /** Replaces an object's row by one with another id. */
  #move(resource: ResourceProgram, row: Row, id: string): void {
    const { command } = this;
    const { resources } = command.runtime;
    const moves = this.#moves.get(resource.index) ?? new Map<string, string>();
    this.#moves.set(resource.index, moves.set(row.id, id));
    const timers = [...row.timers];
    const { value, tenant } = row;
    command.remove(row);
    const made = command.insert(resources[resource.index], { ...value, id });
    for (const { trigger, due, line } of timers)
      command.transaction.arm(new Timer(made, trigger, due, command.world.nextSeq(), line));
    for (const pin of [...command.world.pins.of(resource.index)])
      if (pin.object === row.id && (pin.tenant ?? tenant) === tenant)
        command.transaction.write(command.world.pins, pin.id, { ...pin, object: id });
    this.#waiting.push({ resource, from: row.id });
  }

  /** Moves the objects whose ids begin with a moved object's old id, and changes references to the moved object. */
  #follow(moved: ResourceProgram, from: string): void {
    const to = this.#moves.get(moved.index)?.get(from) as string;
    for (const resource of this.command.runtime.resources) {
      for (const field of referringFields(resource.def, moved.def.name)) {
        const isIndexed =
          resource.collection.indexes.includes(field) && resource.def.schema.fields.get(field)?.kind === 'ref';
        const rows = this.command
          .collection(resource.index)
          .ordered(isIndexed ? field : undefined, from)
          .all();
        for (const row of [...rows]) {
          const before = row.value[field] ?? null;
          const after = replaced(before, from, to);
          if (after === before) continue;
          this.command.spend(1);
          const made = resource.shape().copy(row.value);
          made[field] = after;
          this.command.transaction.replace(this.command.world.collectionOf(row), row, made, [field]);
          if (row.id.startsWith(`${from}/`)) this.#move(resource, row, to + row.id.slice(from.length));
        }
      }
    }
  }
}

/** Replaces an id by another one in a value, at all levels; returns the same value if it doesn't contain the id. */
function replaced(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (isList(value)) {
    const made = value.map((each) => replaced(each, from, to));
    return made.some((each, at) => each !== value[at]) ? made : value;
  }
  if (!isObject(value)) return value;
  const made: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, replaced(each, from, to)]),
  );
  return Object.keys(made).some((key) => made[key] !== value[key]) ? made : value;
}
