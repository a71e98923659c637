import { objectOr, textOr } from './document.js';
import { snake } from './names.js';
import type { ShownObjects } from './objects.js';
import type { SurveyedResource } from './survey.js';
import { isTimestamp } from './types.js';

/** Names of fields that mark deleted objects. */
const GONE = /^(?:is_)?(?:deleted|archived|trashed|removed)(?:_at|_on)?$/;
/** Parameters that include deleted objects in lists. */
const ALSO = /^(?:include_?|with_?|show_?|only_?)?(?:deleted|archived|trashed|removed|trash)$/;
const REVIVE = /^(?:restore|undelete|unarchive|recover)/;

/** How a deleted object is marked. */
interface DeletionMark {
  /** Field values of a deleted object. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Condition for list items that aren't deleted. */
  readonly there: string;
  /** List parameter that includes deleted objects. */
  readonly param: string | undefined;
}

/**
 * Finds how deleted objects are marked if they stay readable: they have a field for it, and a call restores them or a list can include them.
 * @returns undefined if deleted objects are removed
 */
export function deletionMark(
  { calls }: SurveyedResource,
  { fields, settable }: ShownObjects,
): DeletionMark | undefined {
  const list = calls.find(({ kind }) => kind === 'list')?.call;
  const param = list?.parameters.find((each) => each['in'] === 'query' && ALSO.test(snake(textOr(each['name']))));
  if (param === undefined && !calls.some(({ kind, name }) => kind === 'action' && REVIVE.test(name))) return undefined;
  const marks = [...fields].filter(([name]) => GONE.test(snake(name)) && !settable.has(snake(name)));
  const values: Record<string, unknown> = {};
  for (const [name, { type, now }] of marks) {
    const isBoolean = type === 'boolean' || type === 'boolean?' || objectOr(type)['type'] === 'boolean';
    if (isBoolean) values[name] = true;
    else if (isTimestamp(type) || now !== undefined) values[name] = now ?? '${now}';
  }
  const [first] = Object.keys(values);
  if (first === undefined || !/^[A-Za-z_]\w*$/.test(first)) return undefined;
  const there = values[first] === true ? `item.${first} != true` : `item.${first} == null`;
  return { values, there, param: param && textOr(param['name']) };
}
