import { isList, isObject, type Json } from '../../../engine/values/index.js';
import { namesIn, singular, snake } from '../names.js';
import type { UsedResource } from './resources.js';

const COMMON = ['id', 'uuid', 'gid', 'sid', 'guid', 'key', 'slug', 'token', 'name', 'code', 'number'];

/** Members that can contain the id of a resource's objects, most likely first. */
function idNames({ itemPath, noun }: UsedResource): readonly string[] {
  const param = snake(namesIn(itemPath ?? '').at(-1) ?? 'id');
  const rest = param.replace(new RegExp(`^${noun}_`), '');
  const parts = param.split('_');
  const inside = param.replace(`_${noun}_`, '_');
  const tails = parts.map((_, from) => parts.slice(from).join('_'));
  return [...new Set([param, inside, rest, ...tails, `${noun}_id`, ...COMMON, ...parts])].filter(
    (name) => name !== '' && name !== 'or',
  );
}

/** The object id in a request or response, outer objects first. */
export function idIn(resource: UsedResource, body: Json | undefined): string | undefined {
  const names = idNames(resource);
  const nouns = nounsOf(resource);
  const isOwn = (key: string): boolean => nouns.includes(snake(key)) || nouns.includes(singular(snake(key)));
  const held = isObject(body ?? null)
    ? Object.entries(body as object)
        .filter(([key]) => isOwn(key))
        .flatMap(([, each]) => objectsIn(each as Json))
    : [];
  // The object named after the resource has priority: of `{pet: {id}, task: {id}}`, the pet.
  const levels = [...held, ...objectsIn(body)];
  // Then `{noun: {id}}` and lists with one item: an object with an id has priority over those around it. A member's name can be longer than the path
  // parameter: `pet_uuid` at `/pets/{uuid}`.
  const tail = new RegExp(`(?:^|_)${names[0]}$`);
  const isNamed = (key: string, name: string): boolean =>
    snake(key) === name || (name === names[0] && tail.test(snake(key)));
  for (const name of names)
    for (const each of levels)
      for (const [key, value] of Object.entries(each))
        if (isNamed(key, name) && (typeof value === 'string' || typeof value === 'number') && value !== '')
          return String(value);
  return undefined;
}

function objectsIn(value: Json | undefined, depth = 0): Readonly<Record<string, Json>>[] {
  if (value === undefined || depth > 2) return [];
  if (isList(value)) return value.slice(0, 1).flatMap((each) => objectsIn(each, depth));
  if (!isObject(value)) return [];
  return [
    value,
    ...Object.values(value).flatMap((each) =>
      typeof each === 'object' && each !== null ? objectsIn(each, depth + 1) : [],
    ),
  ];
}

/** Whether a list in a response has an item with an id, at most two levels deep. */
export function listed(value: Json | undefined, id: string, depth = 0): boolean {
  if (value === undefined || depth > 3) return false;
  if (isList(value)) return value.some((each) => String(each) === id || holds(each, id, 0));
  return isObject(value) && Object.values(value).some((each) => listed(each, id, depth + 1));
}

function holds(value: Json, id: string, depth: number): boolean {
  if (!isObject(value)) return false;
  return Object.values(value).some((each) => String(each) === id || (depth < 2 && holds(each, id, depth + 1)));
}

/** An unused id in the same format. */
export function otherId(id: string): string {
  if (/^\d+$/.test(id)) return '987654321';
  return id.replace(/[0-9a-z]/gi, (each, at: number) =>
    at < id.length - 6 ? each : /\d/.test(each) ? String((Number(each) + 5) % 10) : each === 'b' ? 'c' : 'b',
  );
}

/** The singular of a resource's noun, with and without its parent's noun, as bodies refer to it. */
export function nounsOf({ noun, base }: UsedResource): readonly string[] {
  const words = base.split('/').filter((part) => part !== '' && !part.includes('{'));
  const above = words.at(-2);
  return above === undefined ? [noun] : [noun, `${singular(snake(above))}_${noun}`];
}
