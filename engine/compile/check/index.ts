/** Checking: everything is compiled, then looked at once more as a whole: what never happens, contradicts itself or is unused. */
import type { CompiledPack } from '../pack.js';
import { checkUnused, compileAll } from './complete.js';
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

/** Finds every mistake of a pack that linking has not found. Reports to the model's list. */
export function checkPack(pack: CompiledPack): void {
  compileAll(pack);
  checkUnused(pack);
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
