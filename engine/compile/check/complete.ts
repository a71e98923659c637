import { isObject, type Json } from '../../expression/index.js';
import { ENGINE_ERRORS, inside, type Place } from '../../model/index.js';
import { type Flow, flowName } from '../flows.js';
import type { CompiledPack } from '../pack.js';

/**
 * Compiles everything that serving compiles only when first used, so that every mistake of the pack is found. Problems go to
 * the model's list.
 */
export function compileAll(pack: CompiledPack): void {
  const { model } = pack;
  for (const resource of pack.resources) {
    for (const parts of [resource.guards, resource.actions, resource.delays, resource.refusals]) {
      for (const compile of parts.values()) compile();
    }
    resource.answer();
    for (const pin of resource.pins) pin.problems?.();
    for (const operation of resource.operations.values()) {
      operation.body();
      operation.tombstone?.();
    }
  }
  for (const flow of pack.flows.values()) flow.program();
  for (const cause of pack.causes.values()) for (const variant of cause.variants) variant.check();
  for (const page of pack.pages) page.check();
  for (const family of pack.magic.families) family.values();
  pack.scenarios();
  for (const table of model.tables.values()) table.check();
  for (const error of model.errors.values()) error.check();
  pack.eventMaker?.check();
  checkRecursion(pack);
}

/**
 * Warns of flows, errors and durations that nothing in the pack uses. Comes last: it knows only what was compiled before.
 */
export function checkUnused({ model, compiler, flows }: CompiledPack): void {
  const { used, linking } = compiler;
  const warn = (place: Place, what: string, name: string, at: 'key' | 'value') =>
    linking.problem(place, `unused-${what}`, `nothing uses ${what} '${name}'`, { at, severity: 'warning' });
  for (const [name, flow] of flows) {
    const { place, at } = flowName(flow);
    if (!used.flows.has(name)) warn(place, 'flow', name, at);
  }
  for (const [name, error] of model.errors) {
    if (!used.errors.has(name) && !Object.hasOwn(ENGINE_ERRORS, name)) warn(error.place, 'error', name, 'key');
  }
  const file = model.source.one('pack');
  for (const name of model.settings.durations.keys()) {
    if (file && !used.durations.has(name)) warn({ file, path: ['durations', name] }, 'duration', name, 'key');
  }
}

/** A flow that runs itself, by way of others or not, would never end. */
function checkRecursion({ flows, compiler }: CompiledPack): void {
  const runs = new Map([...flows].map(([name, flow]) => [name, [...runSteps(flow)]]));
  const settled = new Set<string>();
  const visit = (name: string, way: readonly string[]): void => {
    if (settled.has(name)) return;
    for (const { flow, place } of runs.get(name) ?? []) {
      const round = [...way, name];
      if (!round.includes(flow)) visit(flow, round);
      else {
        const circle = [...round.slice(round.indexOf(flow)), flow].join(' -> ');
        compiler.linking.problem(place, 'recursive-flow', `a flow must not run itself: ${circle}`);
      }
    }
    settled.add(name);
  };
  for (const name of flows.keys()) visit(name, []);
}

/** The flows that a flow's steps run, with where they say so. */
function runSteps({ place, steps }: Flow): Generator<{ readonly flow: string; readonly place: Place }> {
  return runsIn([...steps], inside(place, 'do'));
}

function* runsIn(steps: Json, place: Place): Generator<{ readonly flow: string; readonly place: Place }> {
  if (!Array.isArray(steps)) return;
  for (const [index, step] of (steps as readonly Json[]).entries()) {
    if (!isObject(step)) continue;
    const at = inside(place, index);
    if (typeof step['run'] === 'string') yield { flow: step['run'], place: inside(at, 'run') };
    for (const key of ['then', 'else', 'do']) yield* runsIn(step[key] ?? null, inside(at, key));
  }
}
