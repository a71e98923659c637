import { startServer } from './in-tests.cjs';
import { servers } from './servers.cjs';

/** `globalSetup` of Jest: one server for the run. */
export default async function setup(): Promise<void> {
  servers.push(await startServer());
}
