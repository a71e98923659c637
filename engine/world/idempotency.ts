/** The response that a repeated idempotency key gets. */
export interface IdempotencyRecord {
  /** Id of the request that was served. */
  readonly request: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly status: number;
  readonly body: string;
  /** What the body is, where that is not the usual JSON. */
  readonly content?: { readonly type: string; readonly binary: boolean };
  /** Simulated time in milliseconds. */
  readonly at: number;
}
