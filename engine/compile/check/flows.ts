import { isStep, type MagicFile, keyIn } from '../../model/index.js';
import { isInSection } from '../flows.js';
import type { CompiledPack } from '../pack.js';
import { allSteps } from './walk.js';

/** Reports flows of a file's section `flows` that another file runs: its reader wouldn't look there. */
export function checkFlows(pack: CompiledPack): void {
  const { flows, model } = pack;
  const reported = new Set<string>();
  for (const { name, path } of runs(pack)) {
    const place = flows.get(name)?.place;
    if (!place || !isInSection(place) || place.file.path === path || reported.has(name)) continue;
    reported.add(name);
    const message = `flow '${name}' is also run by ${path}: move it to its own file, flows/AREA/${name}.yaml`;
    model.diagnostics.warning(keyIn(place), 'shared-flow', message);
  }
}

/** Yields the name of each flow that a step or an expression runs, with the file that runs it. */
function* runs(pack: CompiledPack): Generator<{ readonly name: string; readonly path: string }> {
  for (const { step, place } of allSteps(pack)) {
    if (isStep(step, 'run')) yield { name: step.run, path: place.file.path };
  }
  for (const { flow, from } of pack.compiler.used.calls) if (from) yield { name: flow, path: from.file.path };
  const file = pack.model.source.one('magic');
  if (!file) return;
  for (const { values } of Object.values((file.data as MagicFile).families))
    for (const { run } of values) yield { name: run, path: file.path };
}
