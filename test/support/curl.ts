import { spawnSync } from 'node:child_process';
import { skipped } from './skipped.js';

/** Whether curl is installed on this machine. */
export const HAS_CURL = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;

if (!HAS_CURL)
  skipped('pages of the documents that call curl, and lines that begin with it. Install curl (apt-get install curl).');
