import { type Host, STRING } from '../expression/index.js';
import { inside, type Model, type RequestInfo, type Settings } from '../model/index.js';
import type { HeaderPlan } from '../program/index.js';
import { rootScope } from './context.js';

/** Compiles response headers of pack.yaml. @param headers by default those of all responses */
export function compileHeaders(model: Model, headers: Settings['headers'] = model.settings.headers): HeaderPlan {
  const constant: Record<string, string> = { 'Content-Type': model.settings.contentType };
  const computed: HeaderPlan['computed'][number][] = [];
  for (const { name, path, value: template } of headers) {
    const at = inside(model.packPlace, ...path);
    const scope = rootScope(`header ${name}`, at, model.env);
    const parameters = ['x', scope.declare('request', model.env.request).js, scope.declare('version', STRING).js];
    const compiled = model.diagnostics.template(at, template, scope, model.env);
    if (typeof compiled.constant === 'string') constant[name] = compiled.constant;
    else {
      const value = scope.unit.expression<[Host, RequestInfo, string | null]>(parameters, compiled);
      computed.push({ name, value });
    }
  }
  return { constant, computed };
}
