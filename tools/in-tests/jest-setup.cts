import { startServer } from './in-tests.cjs';
import { servers } from './servers.cjs';

/** `globalSetup` for Jest: starts one server for the run. */
async function setup(): Promise<void> {
  servers.push(await startServer());
}

export = setup;
