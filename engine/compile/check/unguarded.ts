import { inside, keyIn, isStep, type OperationFile, type PlacedStep } from '../../model/index.js';
import { firstOfSteps } from '../flow-functions.js';
import type { CompiledPack } from '../pack.js';

/** Warns of resources that callers without a key or secret can create without limit: they need `at_most`. */
export function checkUnguarded({ model, operations, flows }: CompiledPack): void {
  /** The resource that a step creates, if its objects have no limit. */
  const createdBy = ({ step }: PlacedStep): string | null =>
    isStep(step, 'create') && model.byName.get(step.create)?.atMost === null ? step.create : null;
  for (const { unguarded, resource: def, name, kind } of operations) {
    if (!unguarded) continue;
    const place = inside(def.place, 'operations', name);
    const files = def.file.operations as Readonly<Record<string, OperationFile | null>>;
    const steps = files[name]?.do;
    const own = steps === undefined && kind === 'create' && def.atMost === null ? def.name : null;
    const created = own ?? firstOfSteps(steps ?? [], inside(place, 'do'), flows, createdBy);
    if (created === null) continue;
    const message = `every caller may call '${name}', and it creates ${created}: say how many stay (\`at_most\` of ${created}), or that callers bring a secret (\`open: secret\`)`;
    model.diagnostics.warning(keyIn(place, 'open'), 'unbounded-creation', message);
  }
}
