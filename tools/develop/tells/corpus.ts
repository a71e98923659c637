import type { Sandbox } from '../../../engine/index.js';
import type { Json } from '../../../engine/values/index.js';
import { Random } from '../../openapi/random.js';
import { bodyOf } from '../../recordings/body-differences.js';
import type { Recorded } from '../../recordings/read.js';
import type { Recording } from '../recordings/recording.js';
import { kindOfCall } from './own-responses.js';
import { RecordedForms } from './forms.js';

/** A recorded call that was drawn, with its operation and its place in the recording. */
export interface DrawnCall {
  readonly recording: Recording;
  readonly call: Recorded;
  readonly place: number;
  readonly operation: string;
}

/** Rejections that depend on the recorder's account, and failures of the vendor. */
const UNUSUAL = [401, 429];

/** The recorded calls of a vendor that a pack has operations for. */
export class Corpus {
  readonly forms = new Map<string, RecordedForms>();
  readonly #byOperation = new Map<string, DrawnCall[]>();
  /** Calls of the vendor, and those that the pack has an operation for. */
  readonly counts = { calls: 0, inside: 0 };

  constructor(sandbox: Sandbox, hosts: readonly string[], recordings: readonly Recording[]) {
    for (const recording of recordings)
      for (const [place, call] of recording.calls.entries()) {
        if (!hosts.includes(call.url.hostname) || call.status >= 500 || UNUSUAL.includes(call.status)) continue;
        this.counts.calls++;
        const match = sandbox.engine.pack.routes.match(call.method, call.url.pathname.replace(/(?<=.)\/+$/, ''));
        if (match.kind !== 'operation') continue;
        this.counts.inside++;
        this.#add({ recording, call, place, operation: match.operation.key });
      }
  }

  #add(drawn: DrawnCall): void {
    const { operation, call } = drawn;
    const known = this.#byOperation.get(operation) ?? [];
    known.push(drawn);
    this.#byOperation.set(operation, known);
    const value = valueOf(call.responseHeaders, call.text);
    if (value === undefined) return;
    const key = kindOfCall(operation, call.status);
    const forms = this.forms.get(key) ?? new RecordedForms();
    this.forms.set(key, forms);
    forms.add(value);
  }

  get operations(): number {
    return this.#byOperation.size;
  }

  /** Calls in the order of a draw: an operation by chance, then one of its calls, none twice. */
  *draw(seed: number): Iterable<DrawnCall> {
    const random = new Random(seed);
    const left = [...this.#byOperation.values()].map((each) => [...each]);
    while (left.length > 0) {
      const at = random.below(left.length);
      yield left[at].splice(random.below(left[at].length), 1)[0];
      if (left[at].length === 0) left.splice(at, 1);
    }
  }
}

/** The decoded body of a recorded response or one of the pack; undefined: it can't be decoded. */
export function valueOf(headers: Readonly<Record<string, string>>, text: string): Json | undefined {
  return bodyOf(headers['content-type'] ?? 'application/json', Buffer.from(text)).value;
}
