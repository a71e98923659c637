import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Json } from '../values/index.js';

/** A call, as its caller signed it. */
export interface SignedCall {
  readonly method: string;
  /** As sent, still encoded. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** The decoded parameters of the query, in order. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** By lower-case name; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The key of the call, which by default also signs it. */
  readonly key: string;
  /** Its bytes: `{base64}`. */
  readonly body: Json;
  /** Its body as text. */
  readonly text: string;
  /** Real time of arrival, in the pack's time format. */
  readonly time: Json;
}

/** One way of signing calls. */
export interface CallSignature {
  /** Also verifies calls without a key. */
  readonly keyless: boolean;
  /** Verifies a call that is signed this way. @throws Rejection with the vendor's error */
  readonly verify: (host: Host, request: RequestInfo, call: SignedCall) => void;
  /** Compiles it now, so that problems are reported. */
  readonly check: () => void;
}
