import { readFileSync } from 'node:fs';
import type { GraphQLNamedType } from 'graphql';
import { graphqlLibrary } from '../../engine/codecs/index.js';

/** Members of every connection type. */
const OF_LISTS: ReadonlySet<string> = new Set(['edges', 'nodes', 'pageInfo', 'totalCount', 'cursor', 'node']);

/** A field, possibly with arguments, or a member of an input. */
interface Member {
  readonly name: string;
  readonly args?: readonly { readonly name: string }[];
}

/** Lists the names in a GraphQL schema by type: fields with their arguments, input members, enum values. */
export function graphqlFacts(file: string): Readonly<Record<string, readonly string[]>> {
  const { buildSchema } = graphqlLibrary();
  const schema = buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true });
  const all = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .map((type): [string, readonly string[]] => [type.name, membersOf(type)])
    .filter(([name, members]) => members.length > 0 && !isList(name, members));
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function membersOf(type: GraphQLNamedType): readonly string[] {
  if ('getValues' in type) return type.getValues().map(({ name }) => name);
  if (!('getFields' in type)) return [];
  const fields: readonly Member[] = Object.values(type.getFields());
  return fields.map(({ name, args = [] }) => {
    const names = args.map((arg) => arg.name);
    return names.length === 0 ? name : `${name}(${names.join(',')})`;
  });
}

function isList(name: string, members: readonly string[]): boolean {
  return /(?:Connection|Edge)$/.test(name) && members.every((each) => OF_LISTS.has(each));
}
