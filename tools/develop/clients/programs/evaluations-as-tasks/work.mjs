import { join } from 'node:path';
import { environment } from './graders.mjs';

/** The working folder of a run: a copy of the evaluation's folder. */
export function workOf(task, run) {
  return join(process.cwd(), 'work', `${task}.${run}`);
}

/** The environment of an evaluation's programs, which call the run's world. */
export function settingsOf({ client }) {
  const { REDIRECT = '' } = process.env;
  return environment(client, {
    STRIPE_API_VERSION: '2025-05-28.basil',
    STATIC_DIR: '../client',
    NODE_OPTIONS: REDIRECT,
  });
}
