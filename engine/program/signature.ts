import type { Host } from '../expression/index.js';
import type { RequestInfo } from '../model/index.js';
import type { Json } from '../values/index.js';

/** A call as its caller signed it. */
export interface SignedCall {
  readonly method: string;
  /** As it was sent, still encoded. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** The query's parameters in their order, decoded. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** By names in lower case; of several with one name the values, separated by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The key that the call brings, which is also what signs it unless the pack says otherwise. */
  readonly key: string;
  /** Its bytes: `{base64}`. */
  readonly body: Json;
  /** Its body as text. */
  readonly text: string;
  /** When it came, in real time, in the pack's representation. */
  readonly time: Json;
}

/** One way in which callers sign. */
export interface CallSignature {
  /** It verifies calls without a key too. */
  readonly keyless: boolean;
  /** Verifies a call that is signed this way. @throws Rejection with the vendor's error */
  readonly verify: (host: Host, request: RequestInfo, call: SignedCall) => void;
  /** Compiles it now. */
  readonly check: () => void;
}
