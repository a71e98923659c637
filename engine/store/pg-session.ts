import type { Client, QueryResult, QueryResultRow } from 'pg';
import { REPLICA_LOCKS } from './pg-schema.js';
import { StoreError } from './store.js';

/**
 * Milliseconds for which a session counts as alive after its last response. During that time no other process may serve its
 * worlds: a replica that takes over without a release waits for it.
 */
export const LEASE_MS = 500;
/** Milliseconds between queries that renew the lease. */
const BEAT_MS = 150;
/** Milliseconds without a message after which the server ends the session; this process reacts slightly earlier. */
const SILENCE_MS = 5_000;
const PATIENCE_MS = 4_000;

/** Makes the server end a session whose other side is silent: a stopped process, a lost machine, a cut cable. */
const ENDS_SILENT = `SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = ${SILENCE_MS}`;
/** Milliseconds until the database aborts a statement, and one that waits for a locked row. */
const STATEMENT_TIMEOUT_MS = 14_000;
const lockTimeoutMs = 5_000;

/**
 * Settings of connections other than the one that holds locks. If a process is silent, the server ends its transaction and
 * unlocks rows; an aborted statement doesn't continue.
 */
export const CONNECTION_LIMITS = `${ENDS_SILENT}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET lock_timeout = ${lockTimeoutMs};
  SET idle_in_transaction_session_timeout = ${SILENCE_MS}`;

/** The query that renews the lease, and reads the database's clock. */
const QUESTION = 'SELECT pg_backend_pid() AS pid, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now';

/**
 * The database session that holds the lock of a replica's slot. While the session is open, the replica owns the worlds whose
 * rows contain that slot; when it ends for any reason, these worlds are free. The server ends the session of a process that is
 * stopped, hung or disconnected.
 */
export class LockSession {
  /** When the newest confirmed query was sent: in monotonic time, and in real time, which continues in sleep. */
  #confirmed = -Infinity;
  #confirmedWall = -Infinity;
  #last: Promise<unknown> = Promise.resolve();
  #confirming: Promise<void> | null = null;
  #beat: NodeJS.Timeout | null = null;
  #pid = 0;
  #slot = 0;
  /** The database's clock minus the local monotonic one, in milliseconds. */
  #clockOffset = Date.now() - performance.now();
  #end: (error: StoreError) => void = () => undefined;
  #failure: StoreError | null = null;
  /** Rejects the running statement. */
  #abandon: (error: StoreError) => void = () => undefined;
  /** Resolves with the reason once the session has ended. */
  readonly ended: Promise<StoreError>;

  private constructor(private readonly client: Client) {
    this.ended = new Promise((resolve) => (this.#end = resolve));
    const onEnd = (error?: Error): void => this.#fail(error?.message ?? 'the database has ended it');
    client.on('error', onEnd);
    client.on('end', () => onEnd());
  }

  /**
   * Opens a session and locks a new slot.
   * @param client an unconnected connection for this session only
   * @param url address at which other replicas reach this one; null: there are no others
   * @param onNotice called with notifications of other replicas
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
      // The slot is locked before other replicas can see it.
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

  /** The slot that the rows of this process's worlds contain. */
  get slot(): number {
    return this.#slot;
  }

  /** Returns the database's real time, in milliseconds. */
  get nowMs(): number {
    return Math.floor(performance.now() + this.#clockOffset);
  }

  /** Whether the lease is valid, so that no other process owns these worlds. Cheap: each response checks it. */
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

  /** Resolves when a query sent from now on has a result; rejects when the session has ended. */
  confirm(): Promise<void> {
    // A query in flight may have been sent before a pause, so it renews the lease only from the time of sending.
    this.#confirming ??= this.#ask().finally(() => (this.#confirming = null));
    return this.#confirming.then(() => (this.isFresh ? undefined : this.#ask()));
  }

  async #ask(): Promise<void> {
    const [{ pid, now }] = await this.query<{ pid: number; now: number }>(QUESTION);
    this.#clockOffset = now - performance.now();
    // Another backend has responded: a pooler before the database reassigns sessions, which makes locks useless.
    if (pid !== this.#pid) this.#fail('it is not one session: connect to PostgreSQL itself, without a pooler');
    if (this.#failure !== null) throw this.#failure;
  }

  /** Runs a statement after earlier ones have finished. Rejects if the session has ended or doesn't respond in time. */
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
    // Ends the connection, since a late response could be taken for that of a later query.
    this.client.connection.stream.destroy();
  }
}
