import { startServer } from './in-tests.cjs';

/** `globalSetup` for Playwright: starts one server for the run, and returns the function that stops it. */
function setup(): Promise<() => Promise<void>> {
  return startServer();
}

export = setup;
