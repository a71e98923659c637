/** A description of a step, and the invariants that it violated. */
export interface SimulationStep {
  readonly said: string;
  readonly broken: readonly Broken[];
}

/** The name of an invariant, and how it was violated. */
export interface Broken {
  readonly law: string;
  readonly what: string;
}

/** A world in which stories are played, one after another. */
export interface StoryWorld {
  /** Name of the simulated pack or company file. */
  readonly name: string;
  /** Counts of what happened, by kind, for the report. */
  readonly counts: Readonly<Record<string, number>>;
  begin(seed: number): Promise<void>;
  step(number: number): Promise<SimulationStep>;
  end(): Promise<SimulationStep>;
  /** Hashes the final state of the world. */
  print(): number;
  close(): Promise<void>;
}
