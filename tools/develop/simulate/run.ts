import { shrunk } from '../kit/shrunk.js';
import type { StoryWorld, Broken, SimulationStep } from './story.js';

/** Runs of the shortened story while a finding is made smaller. */
const SHRINKS = 80;

/** A seed that breaks a law. */
export interface BrokenRun {
  /** Of its stage. */
  readonly name: string;
  readonly seed: number;
  /** Number of the step after which the law was broken; one more than the last: in the end. */
  readonly step: number;
  readonly broken: readonly Broken[];
  /** Numbers of the steps that lead there, as few as were found. */
  readonly only: readonly number[];
  /** What they do. */
  readonly said: readonly string[];
}

/** What one story came to. */
interface Story {
  readonly steps: readonly SimulationStep[];
  /** The world at the end, as one number: equal for the same steps. */
  readonly print: number;
  /** Number of the step after which a law was broken; null: none was. */
  readonly brokenAt: number | null;
  readonly broken: readonly Broken[];
}

/**
 * Plays a story.
 * @param only numbers of the steps that are taken, in order
 */
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

/** Plays the story of a seed; what breaks a law is made smaller. Null: nothing does. */
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
