/** What a step did, as people read it, and what it broke. */
export interface SimulationStep {
  readonly said: string;
  readonly broken: readonly Broken[];
}

/** A law, and what speaks against it. */
export interface Broken {
  readonly law: string;
  readonly what: string;
}

/** What stories are played in, one after another. */
export interface StoryWorld {
  /** A pack, or the file of a company. */
  readonly name: string;
  /** What there was, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  begin(seed: number): Promise<void>;
  step(number: number): Promise<SimulationStep>;
  end(): Promise<SimulationStep>;
  /** What the world came to, as one number. */
  print(): number;
  close(): Promise<void>;
}
