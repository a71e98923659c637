/** Shared by programs with Probot apps: the app's host, and its webhook deliveries. */
import { generateKeyPairSync } from 'node:crypto';
import { Probot, ProbotOctokit } from 'probot';
import { receiver, url } from './kit.mjs';

export const secret = 'of the app';

/** Creates the host of a Probot app that calls the sandbox. */
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

/** Receives webhooks on behalf of an app. @param give called with each signed delivery; the receiver itself also gets unsigned ones */
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
