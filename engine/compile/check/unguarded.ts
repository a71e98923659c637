import {
  inside,
  isStep,
  type OperationFile,
  type SourceLocation,
  stepsBelow,
  type StepFile,
} from '../../model/index.js';
import type { Flow } from '../context.js';
import type { CompiledPack } from '../pack.js';

/** Warns where callers without a key or a secret can make a world grow: the resources that they create need a number (`at_most`). */
export function checkUnguarded(pack: CompiledPack): void {
  for (const operation of pack.operations) {
    if (!operation.unguarded) continue;
    const { resource: def, name, kind } = operation;
    const operations = def.file.operations as Readonly<Record<string, OperationFile | null>>;
    const place = inside(def.place, 'operations', name);
    const steps = operations[name]?.do;
    const created =
      steps === undefined && kind === 'create' ? def.name : createdIn(steps ?? [], inside(place, 'do'), pack, []);
    if (created === undefined) continue;
    const message = `every caller may call '${name}', and it creates ${created}: say how many stay (\`at_most\` of ${created}), or that callers bring a secret (\`open: secret\`)`;
    pack.model.diagnostics.problem(inside(place, 'open'), 'unbounded-creation', message, {
      at: 'key',
      severity: 'warning',
    });
  }
}

/**
 * The first resource without a number that steps create.
 * @param way the flows that the steps are in
 */
function createdIn(
  steps: readonly StepFile[],
  at: SourceLocation,
  pack: CompiledPack,
  way: readonly Flow[],
): string | undefined {
  for (const { step } of stepsBelow([...steps], at)) {
    if (isStep(step, 'create') && pack.model.byName.get(step.create)?.atMost === null) return step.create;
    const flow = isStep(step, 'run') && step.dry !== true ? pack.flows.get(step.run) : undefined;
    if (flow === undefined || way.includes(flow)) continue;
    const created = createdIn(flow.steps, inside(flow.place, 'do'), pack, [...way, flow]);
    if (created !== undefined) return created;
  }
  return undefined;
}
