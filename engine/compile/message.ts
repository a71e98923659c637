import { type Json, type JsonObject, lazy } from '../values/index.js';
import { accepts, ANY, BOOLEAN, describeType, mapType, type Type } from '../expression/index.js';
import { inside, type ResourceDef } from '../model/index.js';
import type { MessagePlan, OverObject } from '../program/index.js';
import { type Compiler, functionScope, liveParameter } from './context.js';

/** Compiles `message` of a resource: how the mailbox shows its objects. Null: they are no messages. */
export function compileMail(def: ResourceDef, compiler: Compiler): (() => MessagePlan) | null {
  const { message } = def.file;
  if (message === undefined) return null;
  const { when = 'true', at, attachments = '[]', ...texts } = message;
  const { diagnostics, env } = compiler;
  const place = inside(def.place, 'message');
  const scopeOf = (key: string) =>
    functionScope(`message ${key} of ${def.name}`, place, env, {
      self: liveParameter(def.type),
      trigger: mapType(ANY),
    });
  const over = (key: string, source: string, wanted: Type): OverObject => {
    const { scope, unit, parameters } = scopeOf(key);
    const compiled = diagnostics.bare(inside(place, key), source, scope, env);
    if (!accepts(wanted, compiled.type))
      diagnostics.problem(
        inside(place, key),
        'wrong-type',
        `this must be ${describeType(wanted)}, it is ${describeType(compiled.type)}`,
      );
    return unit.expression(parameters, compiled);
  };
  return lazy(() => {
    const { order } = def.file;
    const sentAt = over('at', at ?? (order === undefined ? 'null' : `self.${order}`), ANY);
    const files = over('attachments', attachments, ANY);
    const { scope, unit, parameters } = scopeOf('texts');
    const shown = unit.expression<Parameters<OverObject>>(parameters, diagnostics.template(place, texts, scope, env));
    return {
      when: over('when', when, BOOLEAN),
      parts: (host, self, trigger): Json => ({
        ...(shown(host, self, trigger) as JsonObject),
        at: sentAt(host, self, trigger),
        attachments: files(host, self, trigger),
      }),
    };
  });
}
