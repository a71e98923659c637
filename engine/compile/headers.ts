import { frameOf, type Json, STRING } from '../expression/index.js';
import { inside, type Model, REQUEST_TYPE } from '../model/index.js';
import type { HeaderPlan } from '../program/index.js';
import { rootScope } from './context.js';

/** Compiles `headers` of pack.yaml: what every answer of the vendor's API carries. */
export function compileHeaders(model: Model): HeaderPlan {
  const scope = rootScope();
  const request = scope.declare('request', REQUEST_TYPE).slot;
  const version = scope.declare('version', STRING).slot;
  const constant: Record<string, string> = { 'Content-Type': model.settings.contentType };
  const computed: HeaderPlan['computed'][number][] = [];
  for (const { name, key, value: template } of model.settings.headers) {
    const compiled = model.diagnostics.template(inside(model.packPlace, 'headers', key), template, scope, model.env);
    if (typeof compiled.constant === 'string') constant[name] = compiled.constant;
    else
      computed.push({
        name,
        value: (host, asked): Json => {
          const frame = frameOf(host, scope.layout.size);
          frame[request] = asked;
          frame[version] = asked.version;
          return compiled.run(frame);
        },
      });
  }
  return { constant, computed };
}
