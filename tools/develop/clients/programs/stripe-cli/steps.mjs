/** Triggers every event for which the vendor's command-line tool has fixtures. Its test clocks begin in January 2020. */
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
// Replaces `localhost`, because the tool accepts loopback addresses only as numbers.
const base = url.replace('localhost', '127.0.0.1');

/** Matches events of products that the pack doesn't emulate, or whose fixtures need a connected account. */
const OUTSIDE = /^(account|issuing|identity|reporting|topup|transfer|v\d)[._]/;

const { stdout } = await run(command, ['trigger', '--help'], { env });
for (const [, event] of stdout.matchAll(/^ {2}([a-z0-9_]+(?:\.[a-z0-9_]+)+)$/gm)) {
  if (OUTSIDE.test(event)) continue;
  // Resets the world for each fixture, since the clock can't go back to the fixture's start.
  await control('POST', '/reset', {});
  await step(event, async () => {
    try {
      await run(command, ['trigger', event, '--api-base', base], { env, timeout: 60_000 });
    } catch ({ stdout: said, stderr }) {
      throw new Error(`${said}${stderr}`.replace(/\s+/g, ' ').slice(-280));
    }
  });
}
