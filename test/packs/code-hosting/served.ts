import { Octokit } from 'octokit';
import { startSandbox, type TestSandbox } from '../../support/start-sandbox.js';
import { type Served } from '../../support/http.js';

export const T0 = '2025-01-01T00:00:00Z';
export const hello = { owner: 'octo', repo: 'hello' };

/** The vendor's own client. Errors are what tests look at: it says nothing of them on the console and asks once. */
export function clientOf(sandbox: Served, auth: string | null = sandbox.key): Octokit {
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  return new Octokit({
    auth,
    baseUrl: String(sandbox.url),
    log: quiet,
    retry: { enabled: false },
    throttle: { enabled: false },
  });
}

/** The shipped pack with the vendor's names, and a repository with a first commit; anew for each test. */
export function serveHosting(): TestSandbox<Octokit> {
  const options = { t0: T0, vars: { vendor: 'github' }, reset: { t0: T0 }, client: clientOf };
  const sandbox = startSandbox('packs/code-hosting', options);
  beforeEach(async () => {
    await sandbox.client.rest.repos.createForAuthenticatedUser({ name: 'hello', auto_init: true });
  });
  return sandbox;
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
