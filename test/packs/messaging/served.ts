import twilio from 'twilio';
import { startSandbox, type TestSandbox } from '../../support/start-sandbox.js';

export const T0 = '2025-01-01T00:00:00Z';
export const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
export const NUMBER = '+15005550006';
/** What the account's webhooks are signed with, and a key too. */
export const AUTH_TOKEN = 'an auth token of the tests';

export type Client = ReturnType<typeof twilio>;

/** The vendor's own client: only where its calls go is changed. */
export function clientOf({ url }: { readonly url: string }, token = AUTH_TOKEN, account = ACCOUNT): Client {
  return twilio(account, token, { httpClient: new Redirected(url) });
}

/** Sends what the client asks of the vendor's hosts to the sandbox. */
class Redirected extends twilio.RequestClient {
  constructor(private readonly address: string) {
    super();
  }

  override request: twilio.RequestClient['request'] = (options) =>
    super.request({ ...options, uri: options.uri.replace(/^https:\/\/[a-z]+\.twilio\.com/, this.address) });
}

/** The shipped pack with the vendor's names, and its client; empty for each test. */
export function serveMessaging(): TestSandbox<Client> {
  const options = { t0: T0, vars: { vendor: 'twilio', auth_token: AUTH_TOKEN }, reset: { t0: T0 } };
  return startSandbox('packs/messaging', { ...options, client: (sandbox) => clientOf(sandbox) });
}

/** A webhook's parameters, once its signature is the vendor's. */
export function verified(url: string, { headers, body }: { headers: object; body: string }): Record<string, string> {
  const params = Object.fromEntries(new URLSearchParams(body));
  const signature = String((headers as Record<string, unknown>)['x-twilio-signature']);
  if (!twilio.validateRequest(AUTH_TOKEN, signature, url, params)) throw new Error(`a wrong signature: ${body}`);
  return params;
}

/** What the vendor says of a call that it rejects. */
export const rejection = (status: number, code: number): object => ({
  status,
  code,
  moreInfo: `https://www.twilio.com/docs/errors/${code}`,
});
