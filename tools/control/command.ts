/** Values of a call, by the contract's names. */
export type Given = Readonly<Record<string, unknown>>;

/** A subcommand that makes one control API call. Its options follow from the contract. */
export interface ControlCommand {
  readonly name: string;
  /** The group of the command in the help. */
  readonly group: string;
  /** Ids of API operations; the command calls the first one that accepts the given values. */
  readonly operations: readonly [string, ...string[]];
  /** Summary of the command in the help, in place of the contract's. */
  readonly summary?: string;
  /** Positional arguments such as `<id>`, with descriptions. */
  readonly args?: readonly (readonly [flags: string, description: string])[];
  /** Options that aren't in the contract. */
  readonly options?: readonly (readonly [flags: string, description: string])[];
  /** Contract values without an option, since `order` computes them. */
  readonly hidden?: readonly string[];
  /** Computes the values of the call from the given ones. */
  readonly order?: (given: Given) => Given | Promise<Given>;
  /** Set if the values come from a file, so that problems in them aren't usage errors. */
  readonly ofFile?: true;
  /** Formats the response as lines. */
  readonly view: (response: Given, given: Given) => readonly string[];
  readonly examples?: readonly string[];
}
