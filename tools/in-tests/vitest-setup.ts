import { startServer } from './in-tests.cjs';

/** `globalSetup` for Vitest: starts one server for the run, and returns the function that stops it. */
export default function setup(): Promise<() => Promise<void>> {
  return startServer();
}
