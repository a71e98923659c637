import { startServer } from './in-tests.cjs';

/** `globalSetup` for Vitest: one server for the run. It returns the function that stops it. */
export default function setup(): Promise<() => Promise<void>> {
  return startServer();
}
