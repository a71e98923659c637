/** Lets the vendor's command line make every event for which it has fixtures. Its test clocks begin in January 2020. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { control, key, step, url } from './kit.mjs';

const run = promisify(execFile);
const command = createRequire(import.meta.url).resolve(`@stripe/cli-${process.platform}-${process.arch}/bin/stripe`);
const env = { ...process.env, STRIPE_API_KEY: key, XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'stripe-cli-')) };
// It takes an address of this machine as numbers only.
const base = url.replace('localhost', '127.0.0.1');

/** Products that the pack says it leaves out, and those whose fixtures need a connected account. */
const OUTSIDE = /^(account|issuing|identity|reporting|topup|transfer|v\d)[._]/;

const { stdout } = await run(command, ['trigger', '--help'], { env });
for (const [, event] of stdout.matchAll(/^ {2}([a-z0-9_]+(?:\.[a-z0-9_]+)+)$/gm)) {
  if (OUTSIDE.test(event)) continue;
  // Each in a world of its own: a clock that stands later than its fixture's cannot be turned back.
  await control('POST', '/reset', {});
  await step(event, async () => {
    try {
      await run(command, ['trigger', event, '--api-base', base], { env, timeout: 60_000 });
    } catch ({ stdout: said, stderr }) {
      throw new Error(`${said}${stderr}`.replace(/\s+/g, ' ').slice(-280));
    }
  });
}
