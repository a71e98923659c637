/** The stored response for an idempotency key. */
export interface IdempotencyRecord {
  /** Id of the original request. */
  readonly request: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly status: number;
  readonly body: string;
  /** The type of the body, if it isn't JSON. */
  readonly content?: { readonly type: string; readonly binary: boolean };
  /** Simulated time in milliseconds. */
  readonly at: number;
}
