import { startServer } from './in-tests.cjs';

/** `globalSetup` for Playwright: one server for the run. It returns the function that stops it. */
function setup(): Promise<() => Promise<void>> {
  return startServer();
}

export = setup;
