/** A second look at a pack that works: what never happens, what contradicts itself, what nothing uses. */
import type { CompiledPack } from '../operation/index.js';
import { reviewConstants } from './constants.js';
import { reviewEvents } from './events.js';
import { reviewExamples } from './examples.js';
import { reviewFlows } from './flows.js';
import { reviewMachines } from './machines.js';
import { reviewMagic } from './magic.js';
import { reviewOperations } from './operations.js';
import { reviewPatterns } from './patterns.js';
import { reviewPins } from './pins.js';
import { reviewUnused } from './unused.js';

export { withoutEchoes } from './echoes.js';

/** Reports to the model's list. Runs after everything else was compiled: it knows only what was. */
export function reviewPack(pack: CompiledPack): void {
  reviewConstants(pack);
  reviewOperations(pack);
  reviewMachines(pack);
  reviewEvents(pack);
  reviewPins(pack);
  reviewFlows(pack);
  reviewPatterns(pack);
  reviewMagic(pack);
  reviewUnused(pack);
  reviewExamples(pack);
}
