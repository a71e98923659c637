import { servers } from './servers.cjs';

/** `globalTeardown` of Jest: ends the server of the run. */
async function teardown(): Promise<void> {
  for (const end of servers.splice(0)) await end();
}

export = teardown;
