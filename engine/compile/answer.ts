import {
  copyAny,
  FrameLayout,
  frameOf,
  type Host,
  isObject,
  type Json,
  type JsonObject,
  layoutOf,
  Scope,
} from '../expression/index.js';
import { inside, type Model, type Place, type ResourceDef, type Schema, storedFields } from '../model/index.js';
import type { AnswerPlan } from '../program/index.js';

type Show = (value: Json, host: Host, self: JsonObject) => Json | undefined;

/** Compiles how a resource is answered. Most resources are answered as they are stored: nothing is copied then. */
export function planAnswer(def: ResourceDef, model: Model): AnswerPlan {
  let sawView = false;
  const computed = new Set<string>();
  const expandOnly = new Map<string, Show>();

  function showOf(schema: Schema, place: Place): Show | undefined {
    if (schema.hidden) return hidden;
    if (schema.view !== undefined) {
      sawView = true;
      return optional(schema, viewOf(schema.view, inside(place, 'view')));
    }
    const inner =
      schema.kind === 'object'
        ? fieldsShow(schema, place)
        : schema.kind === 'array' && schema.items
          ? itemsShow(schema.items, place)
          : undefined;
    if (schema.optional) return optional(schema, inner ?? ((value) => value));
    return inner;
  }

  function optional(schema: Schema, show: Show): Show {
    if (!schema.optional) return show;
    return (value, host, self) => {
      const shown = show(value, host, self);
      return shown === null ? undefined : shown;
    };
  }

  function viewOf(view: Json, place: Place): Show {
    const layout = new FrameLayout();
    const scope = new Scope(layout);
    const self = scope.declare('self', def.type, true).slot;
    const compiled = model.linking.template(place, view, scope, model.env);
    return (_value, host, object) => {
      const frame = frameOf(host, layout.size);
      frame[self] = { value: object };
      return compiled.run(frame);
    };
  }

  function itemsShow(items: Schema, place: Place): Show | undefined {
    const show = items.kind === 'object' ? fieldsShow(items, inside(place, 'items')) : undefined;
    if (!show) return undefined;
    return (value, host, self) =>
      Array.isArray(value) ? (value as readonly Json[]).map((item) => show(item, host, self) ?? null) : value;
  }

  function fieldsShow(schema: Schema, place: Place): Show | undefined {
    const shows: [string, Show | undefined][] = [...(schema.fields ?? [])].map(([name, field]) => [
      name,
      showOf(field, inside(place, 'fields', name)),
    ]);
    if (shows.every(([, show]) => show === undefined)) return undefined;
    const assemble = assembler(shows);
    return (value, host, self) => {
      if (!isObject(value)) return value;
      const made = assemble(value, host, self);
      if (schema.open)
        for (const key of Object.keys(value)) if (!(key in made) && !schema.fields?.has(key)) made[key] = value[key];
      return made;
    };
  }

  const top: [string, Show | undefined][] = [];
  for (const [name, schema] of def.schema.fields) {
    const place = inside(def.place, 'fields', name);
    if (schema.on_expand) {
      expandOnly.set(
        name,
        schema.view === undefined ? (_value, _host, self) => self[name] : viewOf(schema.view, inside(place, 'view')),
      );
      top.push([name, hidden]);
    } else {
      sawView = false;
      top.push([name, showOf(schema, place)]);
      if (sawView) computed.add(name);
    }
  }
  const shows = new Map(top);
  const value = top.every(([, show]) => show === undefined)
    ? (_host: Host, object: JsonObject): JsonObject => object
    : computed.size > 0
      ? byKey(assembler(top))
      : onCopies(def, top);
  return {
    pure: computed.size === 0,
    computed,
    value,
    field: (host, object, name) => {
      const show = shows.get(name);
      return show === undefined ? object[name] : show(object[name] ?? null, host, object);
    },
    expandOnly: new Set(expandOnly.keys()),
    onExpand: (host, object, field) => expandOnly.get(field)?.(null, host, object),
  };
}

function byKey(assemble: ReturnType<typeof assembler>): AnswerPlan['value'] {
  return (host, object) => assemble(object, host, object);
}

/**
 * Answers with a copy of the stored object in which some fields are shown otherwise. What is not answered becomes undefined,
 * which JSON leaves out: taking it away would make a hash table of the copy.
 */
function onCopies(def: ResourceDef, shows: readonly (readonly [string, Show | undefined])[]): AnswerPlan['value'] {
  const layout = layoutOf(storedFields(def), 'answer');
  const hiding = shows.flatMap(([name, show]) =>
    show === hidden && def.schema.fields.get(name)?.view === undefined ? [name] : [],
  );
  const asked = shows.flatMap(([name, show]) => (show === undefined || show === hidden ? [] : [{ name, show }]));
  return (host, object, age) => {
    const made: Record<string, Json | undefined> = age === undefined ? copyAny(object) : layout.copy(object, age);
    for (let i = 0; i < hiding.length; i++) made[hiding[i]] = undefined;
    for (let i = 0; i < asked.length; i++) {
      const { name, show } = asked[i];
      const stored = object[name] ?? null;
      const shown = show(stored, host, object);
      if (shown !== stored) made[name] = shown;
    }
    return made as JsonObject;
  };
}

/**
 * Puts an answer together from what its fields show. Fields that show what is stored are copied without asking; for each set
 * of fields that show something there is one copier, which starts from the layout of the whole answer.
 */
function assembler(
  shows: readonly (readonly [string, Show | undefined])[],
): (value: JsonObject, host: Host, self: JsonObject) => Record<string, Json> {
  const asked = shows.flatMap(([name, show]) => (show === undefined || show === hidden ? [] : [[name, show] as const]));
  const copiers = new Map<string, Copier>();
  return (value, host, self) => {
    const shown: (Json | undefined)[] = [];
    let absent = '';
    for (let i = 0; i < asked.length; i++) {
      const item = asked[i][1](value[asked[i][0]] ?? null, host, self);
      if (item === undefined) absent += `${i} `;
      shown.push(item);
    }
    let copier = copiers.get(absent);
    if (copier === undefined) {
      let next = 0;
      const keys: CopiedKey[] = [];
      for (const [name, show] of shows) {
        if (show === undefined) keys.push([name, null]);
        else if (show !== hidden && shown[next++] !== undefined) keys.push([name, next - 1]);
      }
      copiers.set(absent, (copier = layCopier(keys)));
    }
    return copier(value, shown);
  };
}

/** A key, and the place of its shown value; null: what is stored. */
type CopiedKey = readonly [string, number | null];

/** Makes an object of stored values and shown ones. */
type Copier = (stored: JsonObject, shown: readonly (Json | undefined)[]) => Record<string, Json>;

/**
 * @param keys in order: a key with null is copied from the stored object (left out where that lacks it), one with a number
 *   takes the shown value of that place
 */
function layCopier(keys: readonly CopiedKey[]): Copier {
  const layout = layoutOf(keys.map(([key]) => key)).maker();
  return (stored, shown) => {
    const made = layout();
    for (const [key, at] of keys) {
      const item = at === null ? (stored[key] as Json | undefined) : shown[at];
      if (item === undefined) return copyOneByOne(keys, stored, shown);
      made[key] = item;
    }
    return made;
  };
}

function copyOneByOne(
  keys: readonly CopiedKey[],
  stored: JsonObject,
  shown: readonly (Json | undefined)[],
): Record<string, Json> {
  const made: Record<string, Json> = {};
  for (const [key, at] of keys) {
    const item = at === null ? (stored[key] as Json | undefined) : shown[at];
    if (item !== undefined) made[key] = item;
  }
  return made;
}

/** What is kept in state only. */
const hidden: Show = () => undefined;
