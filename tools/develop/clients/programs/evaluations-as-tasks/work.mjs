import { join } from 'node:path';
import { environment } from './graders.mjs';

/** Returns the working folder of a run, which contains a copy of the evaluation's folder. */
export function workOf(task, run) {
  return join(process.cwd(), 'work', `${task}.${run}`);
}

/** Returns environment variables for an evaluation's programs, so that they call the run's world. */
export function settingsOf({ client }) {
  const { REDIRECT = '' } = process.env;
  return environment(client, {
    STRIPE_API_VERSION: '2025-05-28.basil',
    STATIC_DIR: '../client',
    NODE_OPTIONS: REDIRECT,
  });
}
