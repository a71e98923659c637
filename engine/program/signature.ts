import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Json } from '../values/index.js';

/** A signed call, as expressions that verify the signature read it. */
export interface SignedCall {
  readonly method: string;
  /** The path of the call as it was sent, still encoded. */
  readonly path: string;
  /** The query of the call as it was sent, without the question mark. */
  readonly query: string;
  /** The decoded parameters of the query, in order. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Headers of the call by lower-case name; values of repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The API key of the call, which by default is also the signing key. */
  readonly key: string;
  /** The bytes of the call's body, as `{base64}`. */
  readonly body: Json;
  /** The body of the call as text. */
  readonly text: string;
  /** Real time at which the call arrived, in the pack's time format. */
  readonly time: Json;
}

/** A style in which callers sign their calls. */
export interface CallSignature {
  /** Whether calls without an API key must be signed in this style. */
  readonly keyless: boolean;
  /** Verifies the signature of a call. @throws Rejection with the vendor's error */
  readonly verify: (host: Host, request: RequestInfo, call: SignedCall) => void;
  /** Compiles the checks of a signature now instead of on first use, so that problems are reported. */
  readonly check: () => void;
}
