import { Octokit } from 'octokit';
import { createSandbox, type Sandbox } from '../../../engine/index.js';
import { join } from 'node:path';
import { ROOT } from '../../support/root.js';

export const T0 = '2025-01-01T00:00:00Z';
export const hello = { owner: 'octo', repo: 'hello' };

/** The shipped pack, with the vendor's names. */
export function served(): Promise<Sandbox> {
  return createSandbox({ pack: join(ROOT, 'packs', 'code-hosting'), t0: T0, vars: { vendor: 'github' } });
}

/** The vendor's own client. Errors are what tests look at: it says nothing of them on the console and asks once. */
export function clientOf(sandbox: Sandbox, auth: string | undefined = sandbox.key): Octokit {
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  return new Octokit({
    auth,
    baseUrl: sandbox.url,
    log: quiet,
    retry: { enabled: false },
    throttle: { enabled: false },
  });
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The status and the message of a call that is rejected. */
export async function rejection(call: Promise<unknown>): Promise<readonly [status: number, message: string]> {
  try {
    await call;
  } catch (error) {
    const { status, response } = error as { status: number; response?: { data?: { message?: string } } };
    return [status, response?.data?.message ?? ''];
  }
  throw new Error('the call was not rejected');
}

/** A branch with one file more than main. */
export async function branchWith(octokit: Octokit, branch: string, path: string, text: string): Promise<string> {
  const { data: main } = await octokit.rest.git.getRef({ ...hello, ref: 'heads/main' });
  await octokit.rest.git.createRef({ ...hello, ref: `refs/heads/${branch}`, sha: main.object.sha });
  const { data } = await octokit.rest.repos.createOrUpdateFileContents({
    ...hello,
    path,
    branch,
    message: `Add ${path}`,
    content: base64(text),
  });
  return String(data.commit.sha);
}
