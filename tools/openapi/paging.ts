import { type Node, object, text } from './document.js';
import { plain, typeName } from './types.js';

const SIZE = /^(?:limit|per_?page|page_?size|size|count|first|max_?results|top)$/i;
const AFTER = /^(?:cursor|after|starting_?after|page_?token|next_?token|next_?cursor|next)$/i;
const BEFORE = /^(?:before|ending_?before|prev_?cursor|previous)$/i;
const OFFSET = /^(?:offset|skip|page|page_?number|from)$/i;

/** How lists are asked for and answered. */
export interface Paging {
  readonly size: string | undefined;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly offset: string | undefined;
  readonly limits: { readonly default?: number; readonly min?: number; readonly max?: number };
}

/** Which of a list's query parameters ask for pages. */
export function pagingOf(parameters: readonly Node[]): Paging {
  const named = (pattern: RegExp): string | undefined =>
    parameters.map((each) => text(each['name'])).find((name) => pattern.test(name));
  const size = named(SIZE);
  const schema = object(parameters.find((each) => each['name'] === size)?.['schema']);
  const number = (key: string): number | undefined => (typeof schema[key] === 'number' ? schema[key] : undefined);
  return {
    size,
    after: named(AFTER),
    before: named(BEFORE),
    offset: named(OFFSET),
    limits: { default: number('default'), min: number('minimum'), max: number('maximum') },
  };
}

/** Whether a parameter asks for pages, so that it is no filter. */
export function isPaging(name: string): boolean {
  return [SIZE, AFTER, BEFORE, OFFSET].some((pattern) => pattern.test(name));
}

/** The envelope of a list as a template; keys that are not understood are told. */
export function envelopeOf(
  key: string | undefined,
  properties: Node,
): { readonly template: unknown; readonly unknown: string[] } {
  if (key === undefined) return { template: '${data}', unknown: [] };
  const unknown: string[] = [];
  const template: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(properties)) {
    const value = name === key ? '${data}' : memberOf(name, plain(each).schema);
    if (value === undefined) unknown.push(name);
    else template[name] = value;
  }
  return { template, unknown };
}

function memberOf(name: string, schema: Node): unknown {
  const type = typeName(schema);
  if ('const' in schema) return schema['const'];
  const values: unknown = schema['enum'];
  if (Array.isArray(values) && values.length === 1) return values[0];
  if (type === 'boolean' && /more|next/i.test(name)) return '${has_more}';
  if (type === 'integer' && /total|count/i.test(name)) return '${total_count}';
  if (type === 'string' && /next|cursor|token|after/i.test(name)) return '${next_cursor}';
  if (type === 'string' && /^(?:url|path)$/i.test(name)) return '${url}';
  const inner = object(schema['properties']);
  if (type !== 'object' || Object.keys(inner).length === 0) return undefined;
  const members = Object.entries(inner).flatMap(([key, each]) => {
    const value = memberOf(key, plain(each).schema);
    return value === undefined ? [] : [[key, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
