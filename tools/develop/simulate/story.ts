/** A description of a step, and the invariants that it violated. */
export interface SimulationStep {
  readonly said: string;
  readonly broken: readonly Broken[];
}

/** An invariant and the violation. */
export interface Broken {
  readonly law: string;
  readonly what: string;
}

/** A world in which stories are played, one after another. */
export interface StoryWorld {
  /** A pack or a company file. */
  readonly name: string;
  /** Counts of what happened, by kind, for the report. */
  readonly counts: Readonly<Record<string, number>>;
  begin(seed: number): Promise<void>;
  step(number: number): Promise<SimulationStep>;
  end(): Promise<SimulationStep>;
  /** A hash of the final state. */
  print(): number;
  close(): Promise<void>;
}
