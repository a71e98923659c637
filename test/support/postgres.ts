import pg from 'pg';
import { hasPostgres, type Postgres, startPostgres } from '../../tools/develop/clients/postgres.js';
import { skipped } from './skipped.js';

/** A test that starts a database has this long: milliseconds. */
const START = 60_000;

let server: Postgres | undefined;
let made = 0;

/** The tests of a file share one PostgreSQL, each with databases of its own. */
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

/** Tests that need PostgreSQL; where there is none, one loud line and one test that says so. */
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

/** What needs PostgreSQL, which is then started before the tests of a file; where there is none, one loud line and something else. */
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
