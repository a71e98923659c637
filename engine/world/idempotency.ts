/** The response to a call with an idempotency key, which later calls with the key get. */
export interface IdempotencyRecord {
  /** Id of the request that ran the operation. */
  readonly request: string | null;
  readonly fingerprint: string;
  readonly route: string;
  readonly status: number;
  readonly body: string;
  /** Media type of the body, if it isn't JSON. */
  readonly content?: { readonly type: string; readonly binary: boolean };
  /** Simulated time of the response, in milliseconds. */
  readonly at: number;
}
