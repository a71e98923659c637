import { startServer } from './in-tests.cjs';

/** `globalSetup` of Vitest: one server for the run. What it returns ends it. */
export default function setup(): Promise<() => Promise<void>> {
  return startServer();
}
