/** Values of a call by the names that the contract gives them. */
export type Given = Readonly<Record<string, unknown>>;

/** A subcommand that makes one call of the control API. Its options follow from the contract. */
export interface ControlCommand {
  readonly name: string;
  /** Heading under which the help lists it. */
  readonly group: string;
  /** Ids of operations: the first that takes what was given is called. */
  readonly operations: readonly [string, ...string[]];
  /** Overrides the contract's summary. */
  readonly summary?: string;
  /** Values without an option's name, such as `<id>`, and what each is. */
  readonly args?: readonly (readonly [flags: string, description: string])[];
  /** Options that the contract does not name. */
  readonly options?: readonly (readonly [flags: string, description: string])[];
  /** Values of the contract that have no option, because `order` makes them. */
  readonly hidden?: readonly string[];
  /** Makes the values of the call of what was written. */
  readonly order?: (given: Given) => Given | Promise<Given>;
  /** The values of the call are in a file: what is wrong with them is no problem in the command line. */
  readonly ofFile?: true;
  /** The response as lines for people. */
  readonly view: (response: Given, given: Given) => readonly string[];
  readonly examples?: readonly string[];
}
