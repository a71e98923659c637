import { shrunk } from '../kit/shrunk.js';
import type { StoryWorld, Broken, SimulationStep } from './story.js';

/** Maximum number of replays to shorten a story. */
const SHRINKS = 80;

/** A seed that violates an invariant. */
export interface BrokenRun {
  /** Name of the pack or company. */
  readonly name: string;
  readonly seed: number;
  /** Number of the step after which the invariant was violated; one above the last step: at the end. */
  readonly step: number;
  readonly broken: readonly Broken[];
  /** Numbers of the steps that reproduce the violation, as few as were found. */
  readonly only: readonly number[];
  /** Descriptions of the steps that reproduce the violation. */
  readonly said: readonly string[];
}

/** The result of a story. */
interface Story {
  readonly steps: readonly SimulationStep[];
  /** Hash of the final state; stories with the same steps have the same hash. */
  readonly print: number;
  /** Number of the step after which an invariant was violated; null if none was. */
  readonly brokenAt: number | null;
  readonly broken: readonly Broken[];
}

/** Plays a story. @param only numbers of the steps to take, in order */
export async function live(stage: StoryWorld, seed: number, only: readonly number[]): Promise<Story> {
  await stage.begin(seed);
  const steps: SimulationStep[] = [];
  for (const number of only) {
    const step = await stage.step(number);
    steps.push(step);
    if (step.broken.length > 0) return { steps, print: stage.print(), brokenAt: number, broken: step.broken };
  }
  const last = await stage.end();
  steps.push(last);
  const isBroken = last.broken.length > 0;
  return { steps, print: stage.print(), brokenAt: isBroken ? (only.at(-1) ?? 0) + 1 : null, broken: last.broken };
}

/** Plays the story of a seed. If it violates an invariant, shortens and returns it; otherwise returns null. */
export async function search(stage: StoryWorld, seed: number, steps: number): Promise<BrokenRun | null> {
  const all = Array.from({ length: steps }, (_none, number) => number);
  const whole = await live(stage, seed, all);
  if (whole.brokenAt === null) return null;
  const { brokenAt } = whole;
  const [{ law }] = whole.broken;
  const taking = all.filter((number) => number <= brokenAt);
  const left = await shrunk(taking, SHRINKS, async (rest) =>
    (await live(stage, seed, rest)).broken.some((each) => each.law === law),
  );
  const { steps: taken, broken } = await live(stage, seed, left);
  const said = taken.map((step) => step.said);
  const { name } = stage;
  return { name, seed, step: brokenAt, broken: broken.length > 0 ? broken : whole.broken, only: left, said };
}
