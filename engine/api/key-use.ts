import type { CallResult } from '../runtime/index.js';
import type { CommandInfo, IdempotencyRecord, Transaction } from '../world/index.js';

/** Stores responses by idempotency key. */
interface KeptResponses {
  /** Simulated time in milliseconds. */
  readonly nowMs: number;
  isKept(executed: boolean, error: string | null): boolean;
  write(transaction: Transaction, key: string, record: IdempotencyRecord): void;
  keep(key: string, record: IdempotencyRecord, info: Partial<CommandInfo>): void;
}

/** The use of an idempotency key by a call; stores the call's response under the key. */
export class KeyUse {
  constructor(
    private readonly keys: KeptResponses,
    private readonly request: string | null,
    /** The key, including its tenant. */
    readonly key: string,
    readonly route: string,
    readonly fingerprint: string,
  ) {}

  /** Stores the response in the transaction of its call. */
  write(transaction: Transaction, response: CallResult): void {
    const record = this.#recordOf(response);
    if (record !== null) this.keys.write(transaction, this.key, record);
  }

  /** Replaces the response stored for the key with the one that is sent, in a ledger entry of its own. */
  replace(response: CallResult, trace: string): void {
    const record = this.#recordOf(response);
    if (record !== null) this.keys.keep(this.key, record, { trace });
  }

  #recordOf({ executed, error, status, body = '', content }: CallResult): IdempotencyRecord | null {
    if (!this.keys.isKept(executed, error)) return null;
    const { request, fingerprint, route } = this;
    const kept = { request, fingerprint, route, status, body, at: this.keys.nowMs };
    return content === null ? kept : { ...kept, content };
  }
}
