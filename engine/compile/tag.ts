import { createHash } from 'node:crypto';
import { lazy, toText } from '../values/index.js';
import { conditionHeaders, inside, type ResourceDef } from '../model/index.js';
import { type Execution, type OperationBody, Rejection, type TagPlan } from '../program/index.js';
import type { Row } from '../world/index.js';
import { type Compiler, functionScope, liveParameter } from './context.js';

/** Compiles `tag` of a resource: the entity tags of its objects; null if they have none. */
export function compileTag(def: ResourceDef, compiler: Compiler): (() => TagPlan) | null {
  const { tag: file } = def.file;
  if (file === undefined) return null;
  const { diagnostics, env } = compiler;
  const place = inside(def.place, 'tag');
  compiler.used.errors.add('precondition_failed');
  if (file.required !== undefined) compiler.used.errors.add('precondition_required');
  const { operations = {} } = def.file;
  const names = Array.isArray(operations) ? operations.map(String) : Object.keys(operations);
  file.required?.forEach((name, index) => {
    diagnostics.known(inside(place, 'required', index), 'operation', name, names);
  });
  const { modified } = file;
  if (modified !== undefined && def.schema.fields.get(modified)?.kind !== 'timestamp') {
    const at = inside(place, 'modified');
    if (def.schema.fields.has(modified)) diagnostics.problem(at, 'wrong-type', `'${modified}' is not a timestamp`);
    else diagnostics.unknown(at, 'field', modified, def.schema.fields.keys());
  }
  return lazy(() => {
    const seen = { self: liveParameter(def.type) };
    const at = inside(place, 'value');
    const { scope, unit, parameters } = functionScope(`tag of ${def.collection}`, at, env, seen);
    const value =
      file.value === undefined
        ? null
        : unit.expression<[Execution, Row]>(parameters, diagnostics.bare(at, file.value, scope, env));
    const of: TagPlan['of'] = (execution, row) => {
      const text = value === null ? digestOf(row) : toText(value(execution, row));
      return `${file.weak === true ? 'W/' : ''}"${text.replaceAll(/[^\x21\x23-\x7e]/g, '-')}"`;
    };
    const modifiedMs: TagPlan['modifiedMs'] = (row) => {
      const ms = modified === undefined ? NaN : env.toMs(row.value[modified] ?? null);
      return Number.isNaN(ms) ? null : Math.floor(ms / 1000) * 1000;
    };
    return { of, modifiedMs };
  });
}

/**
 * Wraps an operation's body so that it changes only the state named by the caller (RFC 9110, 13.1.1 and 13.1.4).
 * @param required calls without a condition are rejected
 */
export function conditional(
  body: OperationBody,
  def: ResourceDef,
  { of, modifiedMs }: TagPlan,
  required: boolean,
): OperationBody {
  if (body.kind !== 'steps') return body;
  return {
    kind: 'steps',
    run: (execution, invocation) => {
      const { self } = invocation;
      if (self !== null) {
        const about = { id: self.id, title: def.title };
        const { match, unmodified } = conditionHeaders(execution.request);
        if (match === null && unmodified === null) {
          if (required) throw new Rejection('precondition_required', about);
        } else if (!(match === null ? isUnmodified(unmodified, modifiedMs(self)) : isNamed(match, of(execution, self))))
          throw new Rejection('precondition_failed', about);
      }
      return body.run(execution, invocation);
    },
  };
}

/** Whether a header lists a tag. The comparison includes a `W/` prefix, as at vendors that accept weak tags in `If-Match`. */
function isNamed(given: string, tag: string): boolean {
  return given.split(',').some((each) => each.trim() === '*' || each.trim() === tag);
}

/** Whether an object hasn't changed since a date; true for an invalid date, which is ignored. */
function isUnmodified(given: string | null, modifiedMs: number | null): boolean {
  const ms = Date.parse(given ?? '');
  return Number.isNaN(ms) || modifiedMs === null || modifiedMs <= ms;
}

function digestOf({ value }: Row): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64url');
}
