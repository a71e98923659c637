/** The vendor's own JavaScript client, as far as code examples need it. */
export interface VendorClient {
  /** Name of the package. */
  readonly package: string;
  /**
   * Code that creates a client; `{host}`, `{port}`, `{protocol}` and `{url}` are replaced by parts of the sandbox's address.
   */
  readonly begin: string;
  /** The client's variable in that code. */
  readonly object: string;
  /** Dotted method names by the keys of operations; operations without a method are absent. */
  readonly calls: ReadonlyMap<string, string>;
  /** The client's options for headers, by header name in lower case. */
  readonly options: ReadonlyMap<string, string>;
}
