/** The vendor's own client for JavaScript, as far as calls are written as it makes them. */
export interface VendorClient {
  /** Name of its package. */
  readonly package: string;
  /** Code that makes one; `{host}`, `{port}`, `{protocol}` and `{url}` are parts of the sandbox's address. */
  readonly begin: string;
  /** What that code calls it. */
  readonly object: string;
  /** Names joined by dots by the keys of operations; operations that it has no function for are absent. */
  readonly calls: ReadonlyMap<string, string>;
  /** Headers, in lower case, with their names among its options. */
  readonly options: ReadonlyMap<string, string>;
}
