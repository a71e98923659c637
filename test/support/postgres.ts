import pg from 'pg';
import { hasPostgres, type Postgres, startPostgres } from '../../tools/develop/clients/postgres.js';
import { skipped } from './skipped.js';

/** Time limit for starting a database, in milliseconds. */
const START = 60_000;

let server: Postgres | undefined;
let made = 0;

/** The PostgreSQL server that the tests of a file share; each test creates its own databases. */
export const postgres = {
  get server(): Postgres {
    if (server === undefined) throw new Error('PostgreSQL was not started');
    return server;
  },
  async newDatabase(): Promise<string> {
    const name = `test_${++made}`;
    await postgres.query(postgres.server.url, `CREATE DATABASE ${name}`);
    return postgres.server.url.replace(/\w+$/, name);
  },
  async query(url: string, text: string): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  },
};

/** Like `describe`, for tests that need PostgreSQL: if it isn't installed, prints that and skips the tests. */
export function describePostgres(name: string, tests: () => void): void {
  describe(
    name,
    postgresOr(
      () => {
        test.skip('PostgreSQL is not installed', () => undefined);
      },
      () => tests,
    ),
  );
}

/** Starts PostgreSQL before the tests of a file, and returns the result of `needs`. If it isn't installed, prints that and returns `otherwise`. */
export function postgresOr<T>(otherwise: T, needs: () => T): T {
  if (!hasPostgres()) {
    skipped('the store in PostgreSQL, and replicas. Install PostgreSQL (apt-get install postgresql).');
    return otherwise;
  }
  beforeAll(async () => {
    server = await startPostgres();
  }, START);
  afterAll(() => server?.stop());
  return needs();
}
