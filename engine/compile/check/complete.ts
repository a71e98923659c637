import { inside, isStep, type SourceLocation, stepsOfFile } from '../../model/index.js';
import type { Flow } from '../context.js';
import { flowName } from '../flows.js';
import type { CompiledPack } from '../pack.js';

/**
 * Compiles everything that serving compiles only when first used, so that every problem of the pack is found. Problems go to
 * the model's list.
 */
export function compileAll(pack: CompiledPack): void {
  const { model } = pack;
  for (const resource of pack.resources) {
    for (const parts of [resource.guards(), resource.actions, resource.delays, resource.rejections]) {
      for (const compile of parts.values()) compile();
    }
    for (const { when, snapshot } of resource.events.values()) {
      when?.();
      snapshot?.();
    }
    for (const { when, run } of resource.waits.values()) {
      when?.();
      run();
    }
    resource.message?.();
    resource.response();
    resource.shape();
    for (const field of resource.stored()) field.required();
    resource.seeded();
    resource.movedTo?.();
    for (const pin of resource.pins) pin.problems?.();
    for (const operation of resource.operations.values()) {
      operation.tombstone?.();
      operation.tag?.();
      operation.head?.();
      operation.cookies?.();
      operation.statusOf?.();
      for (const { when, write } of operation.content?.variants ?? []) {
        when?.();
        write();
      }
      operation.wait?.until();
      operation.wait?.atMostMs();
      operation.stream?.write();
      operation.stream?.everyMs();
      operation.stream?.until?.();
      operation.stream?.broken();
      operation.stream?.closed?.();
      const body = operation.body();
      if (body.kind !== 'steps') body.plan.envelope?.();
    }
  }
  for (const flow of pack.flows.values()) flow.program();
  for (const cause of pack.causes.values()) for (const variant of cause.variants) variant.check();
  for (const limit of pack.rateLimits) limit.parts();
  for (const signature of pack.signatures) signature.check();
  for (const page of pack.pages) page.check();
  for (const family of pack.magic.families) family.values();
  pack.scenarios();
  for (const table of model.tables.values()) table.check();
  for (const error of model.errors.values()) error.check();
  pack.eventMaker?.check();
  for (const { maker } of pack.eventKinds.values()) maker.check();
  pack.versions?.check();
  checkRecursion(pack);
}

/** Reports flows that run themselves, directly or through others, unless a flow of the circle limits its depth. */
function checkRecursion({ flows, compiler }: CompiledPack): void {
  const calls = compiler.used.calls;
  const runs = new Map(
    [...flows].map(([name, flow]) => {
      const called = calls.filter(({ from }) => from === flow.place).map(({ flow }) => flow);
      const place = flowName(flow);
      return [name, [...runSteps(flow), ...called.map((each) => ({ flow: each, place }))]] as const;
    }),
  );
  const settled = new Set<string>();
  const visit = (name: string, way: readonly string[]): void => {
    if (settled.has(name)) return;
    for (const { flow, place } of runs.get(name) ?? []) {
      const round = [...way, name];
      if (!round.includes(flow)) {
        visit(flow, round);
        continue;
      }
      const circle = round.slice(round.indexOf(flow));
      if (circle.some((each) => flows.get(each)?.depth)) continue;
      const message = `a flow must not run itself: ${[...circle, flow].join(' -> ')} (for values that nest, give it a \`depth\`)`;
      compiler.diagnostics.problem(place, 'recursive-flow', message);
    }
    settled.add(name);
  };
  for (const name of flows.keys()) visit(name, []);
}

/** The flows that a flow's steps run, each with the location of the step. */
function runSteps({ place }: Flow): { readonly flow: string; readonly place: SourceLocation }[] {
  return [...stepsOfFile(place.file)].flatMap(({ step, place: at }) =>
    isStep(step, 'run') && isInside(at, place) ? [{ flow: step.run, place: inside(at, 'run') }] : [],
  );
}

/** Whether a location is among a flow's own steps: not in flows of the section `flows`, nor elsewhere in the file. */
function isInside(at: SourceLocation, { path }: SourceLocation): boolean {
  return path.every((key, index) => at.path[index] === key) && at.path[path.length] === 'do';
}
