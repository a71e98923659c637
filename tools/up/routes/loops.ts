import { argumentsAt, splitArguments } from './code.js';

/** Matches beginnings of loops over a list: the list, and the names of an item or of its members. */
const LOOPS = [
  /(?<list>[\w$]{1,60})\.(?:forEach|map)\(\s*(?:async\s*)?\(?\s*(?:\{(?<members>[^{}]{1,200})\}|(?<item>[\w$]{1,60}))/g,
  /\bfor\s*\(\s*(?:const|let|var)\s+(?:\{(?<members>[^{}]{1,200})\}|(?<item>[\w$]{1,60}))\s+of\s+(?<list>[\w$]{1,60})\s*\)/g,
];
/** Maximum number of characters between the beginning of a loop and a mount in it. */
const MAX_BODY = 300;
const MAX_ITEMS = 200;

/**
 * Returns the arguments of a mount in a loop over a list of the same file, for each item: `routes.forEach((each) => router.use(each.path,
 * each.route))`.
 * @param at index of the mount
 * @returns null if the mount isn't in such a loop; empty if the list isn't in the file
 */
export function mountsOfLoop(text: string, at: number, args: string): readonly string[] | null {
  const parts = splitArguments(args);
  const before = text.slice(Math.max(0, at - MAX_BODY), at);
  const loop = LOOPS.flatMap((pattern) => [...before.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .at(-1);
  if (loop === undefined) return null;
  const { list, members, item } = loop.groups as { list: string; members?: string; item?: string };
  const keyOf = (part: string): string | undefined =>
    item === undefined
      ? keysOf(members ?? '').get(part)
      : part.startsWith(`${item}.`)
        ? /^[\w$]{1,60}$/.exec(part.slice(item.length + 1))?.[0]
        : undefined;
  const keys = parts.map(keyOf);
  // No argument is a member of the item, so this isn't such a loop.
  if (keys.every((key) => key === undefined)) return null;
  return itemsOf(text, list).flatMap((each) => {
    const values = parts.map((part, index) => (keys[index] === undefined ? part : each.get(keys[index])));
    return values.includes(undefined) ? [] : [values.join(', ')];
  });
}

/** Parses a pattern such as `{ path, route: router }`, and returns the member of each name. */
function keysOf(members: string): ReadonlyMap<string, string> {
  return new Map(
    splitArguments(members).map((each) => {
      const [key, name = key] = each.split(/\s*:\s*/);
      return [name.trim(), key.trim()] as const;
    }),
  );
}

/** Finds the objects of a list that a file assigns to a name, and returns the expressions of their members. */
function itemsOf(text: string, list: string): readonly ReadonlyMap<string, string>[] {
  const name = list.replaceAll('$', '\\$');
  const start = new RegExp(String.raw`(?:const|let|var)\s+${name}\b[^=\n]{0,200}=\s*\[`).exec(text);
  if (start === null) return [];
  const items = splitArguments(argumentsAt(text, start.index + start[0].length)).slice(0, MAX_ITEMS);
  return items
    .filter((each) => each.startsWith('{'))
    .map((each) => {
      const members = splitArguments(argumentsAt(each, 1)).map((member) => {
        const at = member.indexOf(':');
        return at < 0
          ? ([member, member] as const)
          : ([member.slice(0, at).trim(), member.slice(at + 1).trim()] as const);
      });
      return new Map(members);
    });
}
