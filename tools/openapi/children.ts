import type { Build } from './build.js';
import { objectOr } from './document.js';
import { singular, snake } from './names.js';
import { listShape, requestShape } from './shapes.js';
import { nounsAt, responseSchema, type SurveyedResource } from './survey.js';
import { plain, schemaTypeName } from './types.js';
import { together } from './unions.js';

/** Nested objects that a create call may contain, such as `node_pools` of a cluster. They have a collection of their own below the parent. */
export interface GivenChildren {
  /** Name of the member in the request and in the object. */
  readonly name: string;
  readonly child: SurveyedResource;
}

/** Finds the collections below an object whose items its create call may contain. */
export function childrenGiven(
  { document, found: all }: Build,
  { calls, itemPath }: SurveyedResource,
  wrapper: string | undefined,
): readonly GivenChildren[] {
  const create = calls.find(({ kind }) => kind === 'create')?.call;
  const sent = create && objectOr(requestShape(document, create, wrapper)?.schema['properties']);
  if (sent === undefined) return [];
  return all.flatMap((child) => {
    const made = child.calls.find(({ kind }) => kind === 'create')?.call;
    const list = child.calls.find(({ kind }) => kind === 'list')?.call;
    if (made === undefined || list === undefined) return [];
    if (!child.path.startsWith(`${itemPath}/`) || /[{/]/.test(child.path.slice(itemPath.length + 1))) return [];
    const words = nounsAt(child.path);
    const name = Object.keys(sent).find((each) => words.includes(snake(each)) && snake(each) !== singular(snake(each)));
    if (name === undefined) return [];
    const { schema } = plain(document, sent[name]);
    const given = Object.keys(objectOr(together(document, schema['items']).schema['properties']));
    const items = listShape(document, responseSchema(document, list), words)?.items;
    const known = objectOr(together(document, items).schema['properties']);
    const shared = given.filter((each) => each in known);
    return schemaTypeName(schema) === 'array' && shared.length * 2 > given.length ? [{ name, child }] : [];
  });
}
