/** The vendor's JavaScript client, for code examples. */
export interface VendorClient {
  /** Name of the package. */
  readonly package: string;
  /**
   * Code that creates a client; `{host}`, `{port}`, `{protocol}` and `{url}` are replaced by parts of the sandbox's address.
   */
  readonly begin: string;
  /** Name of the client's variable in the code of `begin`. */
  readonly object: string;
  /** Dotted method names by the keys of operations; operations without a method are absent. */
  readonly calls: ReadonlyMap<string, string>;
  /** The client's names of options that set a header, by the header's name in lower case. */
  readonly options: ReadonlyMap<string, string>;
}
