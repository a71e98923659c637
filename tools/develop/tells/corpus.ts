import type { Sandbox } from '../../../engine/index.js';
import type { Json } from '../../../engine/values/index.js';
import { Random } from '../../openapi/random.js';
import { bodyOf } from '../../recordings/body-differences.js';
import type { Recorded } from '../../recordings/read.js';
import type { Recording } from '../recordings/recording.js';
import { kindOfCall } from './own-responses.js';
import { RecordedForms } from './forms.js';

/** A sampled call, with its operation and its position in the recording. */
export interface DrawnCall {
  readonly recording: Recording;
  readonly call: Recorded;
  readonly place: number;
  readonly operation: string;
}

/** Rejections that depend on the recorder's account; failures of the vendor are also excluded. */
const UNUSUAL = [401, 429];

/** The recorded calls of a vendor for which a pack has operations. */
export class Corpus {
  readonly forms = new Map<string, RecordedForms>();
  readonly #byOperation = new Map<string, DrawnCall[]>();
  /** Number of calls, and of those for which the pack has an operation. */
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

  /** Yields calls in random order without repetition: a random operation, then one of its calls. */
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

/** Decodes the body of a response; undefined if it can't be decoded. */
export function valueOf(headers: Readonly<Record<string, string>>, text: string): Json | undefined {
  return bodyOf(headers['content-type'] ?? 'application/json', Buffer.from(text)).value;
}
