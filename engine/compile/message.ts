import { type Json, type JsonObject, lazy } from '../values/index.js';
import { accepts, ANY, BOOLEAN, describeType, mapType, type Type } from '../expression/index.js';
import { inside, keyIn, type ResourceDef, type SourceLocation } from '../model/index.js';
import type { Cause, MessagePlan, OverObject } from '../program/index.js';
import { type Compiler, functionScope, liveParameter } from './context.js';

/** Compiles `message` of a resource: how the mailbox shows its objects; null if they are no messages. */
export function compileMail(def: ResourceDef, compiler: Compiler): (() => MessagePlan) | null {
  const { message } = def.file;
  if (message === undefined) return null;
  const { when = 'true', at, attachments = '[]', reply, ...texts } = message;
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
    const filled = (key: string, at: SourceLocation, values: Json): OverObject => {
      const { scope, unit, parameters } = scopeOf(key);
      return unit.expression<Parameters<OverObject>>(parameters, diagnostics.template(at, values, scope, env));
    };
    const shown = filled('texts', place, texts);
    const params = reply && filled('reply', inside(place, 'reply', 'with'), { ...reply.with });
    return {
      when: over('when', when, BOOLEAN),
      parts: (host, self, trigger): Json => ({
        ...(shown(host, self, trigger) as JsonObject),
        at: sentAt(host, self, trigger),
        attachments: files(host, self, trigger),
      }),
      reply: reply && params ? { cause: reply.cause, params } : null,
    };
  });
}

/** Checks that replies to messages are external events without a subject. */
export function checkReplies(causes: ReadonlyMap<string, Cause>, { model, diagnostics }: Compiler): void {
  for (const { file, place } of model.resources) {
    const reply = file.message?.reply;
    if (reply === undefined) continue;
    const at = inside(place, 'message', 'reply');
    const cause = diagnostics.find(inside(at, 'cause'), 'cause', reply.cause, causes);
    if (cause === undefined) continue;
    const variant = cause.variants.find(({ subject }) => subject === null);
    if (variant === undefined)
      diagnostics.problem(inside(at, 'cause'), 'bad-form', `'${reply.cause}' is about an object: a reply is not`);
    else
      for (const name of Object.keys(reply.with ?? {}))
        diagnostics.known(keyIn(at, 'with', name), 'parameter', name, variant.params);
  }
}
