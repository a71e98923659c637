import { startServer } from './in-tests.cjs';

/** `globalSetup` of Playwright: one server for the run. What it returns ends it. */
function setup(): Promise<() => Promise<void>> {
  return startServer();
}

export = setup;
