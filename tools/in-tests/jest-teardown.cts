import { servers } from './servers.cjs';

/** `globalTeardown` for Jest: stops the server of the run. */
async function teardown(): Promise<void> {
  for (const end of servers.splice(0)) await end();
}

export = teardown;
