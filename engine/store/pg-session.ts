import type { Client, QueryResult, QueryResultRow } from 'pg';
import { REPLICA_LOCKS } from './pg-schema.js';
import { StoreError } from './store.js';

/**
 * Milliseconds for which a session that has responded counts as alive. Within them no other process may serve what this one had:
 * a replica that takes over from an owner that did not release waits so long first.
 */
export const LEASE_MS = 500;
/** Milliseconds between two questions that keep the lease fresh. */
const BEAT_MS = 150;
/** Milliseconds of silence after which the server ends the session, and this side gives it up a little sooner. */
const SILENCE_MS = 5_000;
const PATIENCE_MS = 4_000;

/** Ends a session whose other side is silent: a process that is stopped, a machine that is gone, a cable that is cut. */
const ENDS_SILENT = `SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = ${SILENCE_MS}`;
/** Milliseconds until the database gives up a statement, and one that waits for a row that another session holds. */
const STATEMENT_TIMEOUT_MS = 14_000;
const lockTimeoutMs = 5_000;

/**
 * What the database does with connections beside that of the locks. A transaction whose process is silent ends, and its rows are
 * free for others; a statement that this side has given up does not continue.
 */
export const CONNECTION_LIMITS = `${ENDS_SILENT}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET lock_timeout = ${lockTimeoutMs};
  SET idle_in_transaction_session_timeout = ${SILENCE_MS}`;

/** What the session is asked again and again. */
const QUESTION = 'SELECT pg_backend_pid() AS pid, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now';

/**
 * The session of the database that holds the lock of a replica's slot. While it is open the replica owns the worlds whose rows
 * have that slot; when it ends, for whatever reason, all are free. The server ends it when this process is silent: stopped, hung
 * or cut off.
 */
export class LockSession {
  /** When the newest question was sent that has a response: monotonic time and real time, which continues while a machine sleeps. */
  #confirmed = -Infinity;
  #confirmedWall = -Infinity;
  #last: Promise<unknown> = Promise.resolve();
  #confirming: Promise<void> | null = null;
  #beat: NodeJS.Timeout | null = null;
  #pid = 0;
  #slot = 0;
  /** The database's clock less the monotonic one here, in milliseconds. */
  #clockOffset = Date.now() - performance.now();
  #end: (error: StoreError) => void = () => undefined;
  #failure: StoreError | null = null;
  /** Ends the statement that is in flight. */
  #abandon: (error: StoreError) => void = () => undefined;
  /** Resolves when the session has ended. */
  readonly ended: Promise<StoreError>;

  private constructor(private readonly client: Client) {
    this.ended = new Promise((resolve) => (this.#end = resolve));
    const onEnd = (error?: Error): void => this.#fail(error?.message ?? 'the database has ended it');
    client.on('error', onEnd);
    client.on('end', () => onEnd());
  }

  /**
   * @param client a connection of its own, not connected yet
   * @param url where other replicas reach this one; null: there are none
   * @param onNotice called with what other replicas notify
   */
  static async begin(
    client: Client,
    url: string | null,
    channel: string,
    onNotice: (text: string) => void,
  ): Promise<LockSession> {
    const session = new LockSession(client);
    try {
      await client.connect();
      client.on('notification', ({ payload }) => onNotice(payload ?? ''));
      await client.query(`SET idle_session_timeout = ${SILENCE_MS}; ${ENDS_SILENT}; LISTEN ${channel}`);
      await session.query('DELETE FROM sandbox.replica WHERE pg_try_advisory_xact_lock($1, slot)', [REPLICA_LOCKS]);
      // Others see the slot when it is locked already.
      const [{ slot, pid }] = await session.query<{ slot: number; pid: number }>(
        `WITH made AS (INSERT INTO sandbox.replica(url) VALUES ($2) RETURNING slot)
         SELECT slot, pg_backend_pid() AS pid, pg_advisory_lock($1, slot) FROM made`,
        [REPLICA_LOCKS, url],
      );
      session.#slot = slot;
      session.#pid = pid;
      await session.#ask();
    } catch (error) {
      session.#fail(String(error));
      await client.end().catch(() => undefined);
      throw error;
    }
    session.#beat = setInterval(() => void session.confirm().catch(() => undefined), BEAT_MS);
    session.#beat.unref();
    return session;
  }

  /** What the rows of the worlds have that are owned here. */
  get slot(): number {
    return this.#slot;
  }

  /** The database's real time, in milliseconds. */
  get nowMs(): number {
    return Math.floor(performance.now() + this.#clockOffset);
  }

  /** Whether the lock is surely still held: cheap, asked for every response. */
  get isFresh(): boolean {
    return (
      performance.now() - this.#confirmed < LEASE_MS &&
      Math.abs(Date.now() - this.#confirmedWall) < LEASE_MS &&
      this.#failure === null
    );
  }

  get failure(): StoreError | null {
    return this.#failure;
  }

  /** Resolves when the session has responded to a question that is sent from now on; rejects when it is over. */
  confirm(): Promise<void> {
    // One that is in flight was perhaps sent before a pause: it renews the lease only from then.
    this.#confirming ??= this.#ask().finally(() => (this.#confirming = null));
    return this.#confirming.then(() => (this.isFresh ? undefined : this.#ask()));
  }

  async #ask(): Promise<void> {
    const [{ pid, now }] = await this.query<{ pid: number; now: number }>(QUESTION);
    this.#clockOffset = now - performance.now();
    // A pooler between here and the database reassigns sessions: locks are worth nothing there.
    if (pid !== this.#pid) this.#fail('it is not one session: connect to PostgreSQL itself, without a pooler');
    if (this.#failure !== null) throw this.#failure;
  }

  /** One statement after another. Rejects when the session is over or does not respond. */
  query<R extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const asked = this.#last.then(async () => {
      if (this.#failure !== null) throw this.#failure;
      const [sent, wall] = [performance.now(), Date.now()];
      const late = setTimeout(() => this.#fail('the database does not respond'), PATIENCE_MS);
      try {
        const { rows } = await new Promise<QueryResult<R>>((resolve, reject) => {
          this.#abandon = reject;
          this.client.query<R>(text, [...values]).then(resolve, reject);
        });
        [this.#confirmed, this.#confirmedWall] = [sent, wall];
        return rows;
      } finally {
        clearTimeout(late);
      }
    });
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  async close(): Promise<void> {
    this.#fail('it was closed');
    await this.client.end().catch(() => undefined);
  }

  #fail(why: string): void {
    if (this.#failure !== null) return;
    if (this.#beat !== null) clearInterval(this.#beat);
    this.#failure = new StoreError('failed', `the session that holds the worlds of this process is over: ${why}`);
    this.#end(this.#failure);
    this.#abandon(this.#failure);
    // The meaning of a response that comes later is unknown.
    this.client.connection.stream.destroy();
  }
}
