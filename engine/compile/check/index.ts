/** Checks a pack: compiles everything, then looks for parts that never happen, contradict each other or are unused. */
import type { CompiledPack } from '../pack.js';
import { compileAll } from './complete.js';
import { checkConstants } from './constants.js';
import { checkEvents } from './events.js';
import { checkExamples } from './examples.js';
import { checkFacts } from './facts.js';
import { checkFlows } from './flows.js';
import { checkMachines } from './machines.js';
import { checkMagic } from './magic.js';
import { checkNumbers } from './numbers.js';
import { checkOperations } from './operations.js';
import { checkParams } from './params.js';
import { checkPatterns } from './patterns.js';
import { checkPins } from './pins.js';
import { checkRules } from './rules.js';
import { checkTasks } from './tasks.js';
import { checkUnguarded } from './unguarded.js';
import { checkUnused } from './unused.js';

/** Finds every problem of a pack that linking has not found. Reports to the model's list. */
export function checkPack(pack: CompiledPack): void {
  compileAll(pack);
  checkConstants(pack);
  checkOperations(pack);
  checkParams(pack);
  checkRules(pack);
  checkNumbers(pack);
  checkUnguarded(pack);
  checkMachines(pack);
  checkEvents(pack);
  checkPins(pack);
  checkFlows(pack);
  checkPatterns(pack);
  checkMagic(pack);
  checkUnused(pack);
  checkExamples(pack);
  checkTasks(pack);
  checkFacts(pack);
  pack.seeds();
}
