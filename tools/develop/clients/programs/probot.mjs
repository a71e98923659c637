/** What the programs of apps on Probot share: the app's host, and what it is delivered. */
import { generateKeyPairSync } from 'node:crypto';
import { Probot, ProbotOctokit } from 'probot';
import { receiver, url } from './kit.mjs';

export const secret = 'of the app';

/** An app on Probot at the sandbox. */
export function appHost() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return new Probot({
    appId: 341000,
    privateKey,
    secret,
    logLevel: 'fatal',
    Octokit: ProbotOctokit.defaults({ baseUrl: url, retry: { enabled: false }, throttle: { enabled: false } }),
  });
}

/**
 * A receiver of what the app is to be given, as its server would be.
 * @param give called with each delivery that is signed: the receiver itself is told too, without a secret
 */
export async function deliveries(give) {
  const hook = await receiver();
  let given = 0;
  return {
    url: hook.url,
    close: hook.close,
    async deliver() {
      await hook.flush();
      for (const { headers, body } of hook.received.slice(given)) {
        given++;
        const signature = headers['x-hub-signature-256'];
        if (signature === undefined) continue;
        await give({
          id: headers['x-github-delivery'],
          name: headers['x-github-event'],
          payload: body.toString(),
          signature,
        });
      }
    },
  };
}
