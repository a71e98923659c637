import { join } from 'node:path';
import { environment } from './graders.mjs';

/** Where the work of a run is: a copy of the set's folder. */
export function workOf(task, run) {
  return join(process.cwd(), 'work', `${task}.${run}`);
}

/** The environment of a set's programs, which call the world of the run. */
export function settingsOf({ client }) {
  const { REDIRECT = '' } = process.env;
  return environment(client, {
    STRIPE_API_VERSION: '2025-05-28.basil',
    STATIC_DIR: '../client',
    NODE_OPTIONS: REDIRECT,
  });
}
