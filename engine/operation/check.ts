import { inside } from '../model/index.js';
import type { CompiledPack } from './compile/pack.js';

/**
 * Compiles everything that serving compiles only when first used, so that every mistake of the pack is found. Problems go to
 * the model's list.
 */
export function checkPack(pack: CompiledPack): void {
  const { model } = pack;
  for (const resource of pack.resources) {
    for (const parts of [resource.guards, resource.actions, resource.delays, resource.refusals]) {
      for (const compile of parts.values()) compile();
    }
    resource.answer();
    for (const operation of resource.operations.values()) {
      operation.body();
      operation.tombstone?.();
    }
  }
  for (const flow of pack.flows.values()) flow.program();
  for (const cause of pack.causes.values()) for (const variant of cause.variants) variant.check();
  for (const family of pack.magic.families) family.values();
  pack.scenarios();
  for (const error of model.errors.values()) error.check();
  checkRoutes(pack);
}

/** Two operations on one route would hide each other. */
function checkRoutes(pack: CompiledPack): void {
  const seen = new Map<string, string>();
  for (const operation of pack.operations) {
    for (const route of operation.routes) {
      const pattern = `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`;
      const other = seen.get(pattern);
      if (other !== undefined && other !== operation.key) {
        const place = inside(operation.resource.place, 'operations', operation.name);
        pack.model.linking.problem(place, 'duplicate-route', `${pattern} is also the route of ${other}`, { at: 'key' });
      }
      seen.set(pattern, operation.key);
    }
  }
}
