import { KeyUse } from './key-use.js';
import { hash } from 'node:crypto';
import { isObject, type Json } from '../values/index.js';
import type { Engine } from '../runtime/index.js';
import type { CommandInfo, IdempotencyRecord, Transaction } from '../world/index.js';
import type { Input } from './input.js';
import type { OperationVisit } from './visit.js';

/** What to do with a call that has an idempotency key: repeat the stored response, reject it, or continue. */
type KeyVerdict =
  | { readonly kind: 'replay'; readonly record: IdempotencyRecord }
  /** Rejects the call. `first` is the route of the call that used the key first. */
  | { readonly kind: 'refuse'; readonly error: string; readonly first?: string }
  | { readonly kind: 'go' };

const LIMIT = 10_000;
/**
 * Number of records removed at once above the limit, since finding the oldest entry of a table costs as much as the removals
 * before it.
 */
const BATCH = 100;

/** Responses stored by idempotency key, for the pack's retention in simulated time. */
export class IdempotencyKeys {
  readonly #inFlight = new Set<string>();

  constructor(private readonly engine: Engine) {}

  /** Makes the `KeyUse` of a call: its key with the tenant, its route and the digest of its parameters. */
  useOf({ request, req, input, chosen: { tenant } }: OperationVisit, key: string): KeyUse {
    // Headers, and so keys, can't contain the separating character.
    const scoped = tenant === null ? key : `${tenant}\u001f${key}`;
    const fingerprint = IdempotencyKeys.fingerprint(input);
    return new KeyUse(this, request.id, scoped, `${req.method} ${request.path}`, fingerprint);
  }

  /** Whether the pack stores a response; only operations that ran are stored. */
  isKept(executed: boolean, error: string | null): boolean {
    return executed && (error === null || this.engine.model.settings.idempotency?.keep !== 'successes');
  }

  get nowMs(): number {
    return this.engine.world.nowMs;
  }

  check(key: string, route: string, fingerprint: string): KeyVerdict {
    if (this.#inFlight.has(key)) return { kind: 'refuse', error: 'idempotency_in_flight' };
    const record = this.engine.world.idempotency.get(key);
    const { idempotency } = this.engine.model.settings;
    const retention = idempotency ? this.engine.runtime.reader.waitMs(idempotency.retention) : 0;
    if (record === undefined || (retention !== null && this.engine.world.nowMs - record.at >= retention))
      return { kind: 'go' };
    if (record.route !== route) return { kind: 'refuse', error: 'idempotency_other_route', first: record.route };
    if (record.fingerprint !== fingerprint) return { kind: 'refuse', error: 'idempotency_mismatch' };
    return { kind: 'replay', record };
  }

  /** Reserves a key while its call runs. */
  begin(key: string): void {
    this.#inFlight.add(key);
  }

  end(key: string): void {
    this.#inFlight.delete(key);
  }

  /** Stores a response in the transaction of its call; above the limit, deletes the oldest ones. */
  write(transaction: Transaction, key: string, record: IdempotencyRecord): void {
    const { idempotency } = this.engine.world;
    transaction.write(idempotency, key, record);
    if (idempotency.size <= LIMIT) return;
    let left = BATCH;
    for (const [oldest] of idempotency.entries()) {
      if (left-- === 0) break;
      transaction.write(idempotency, oldest, undefined);
    }
  }

  /** Stores a response that became known after its call's commit, in a further ledger entry with the same request id. */
  keep(key: string, record: IdempotencyRecord, info: Partial<CommandInfo> = {}): void {
    const { world } = this.engine;
    this.write(world.begin(), key, record);
    world.commit({ command: 'idempotency', origin: 'call', request: record.request, args: { key }, ...info });
  }

  /** A digest of the parameters, independent of their order. */
  static fingerprint(input: Input): string {
    const text = input.ok ? JSON.stringify([inOrder(input.given), input.expand]) : JSON.stringify(input.args);
    return hash('sha1', text, 'base64');
  }
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(inOrder);
  if (!isObject(value)) return value;
  const made: Record<string, Json> = {};
  for (const key of Object.keys(value).sort()) made[key] = inOrder(value[key]);
  return made;
}
