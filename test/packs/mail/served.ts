import { Resend } from 'resend';
import { Webhook } from 'svix';
import { startSandbox, type TestSandbox } from '../../support/start-sandbox.js';

export const T0 = '2025-01-01T00:00:00Z';
/** A message as simple as can be, from the domain that is verified from the beginning. */
export const HELLO = { from: 'Shop <shop@example.com>', to: 'ann@example.org', subject: 'Hello', text: 'Hello Ann' };

/** The shipped pack with the vendor's names, and its client; empty for each test. */
export function serveMail(vars: Record<string, string> = {}): TestSandbox<Resend> {
  return startSandbox('packs/mail', {
    t0: T0,
    vars: { vendor: 'resend', ...vars },
    reset: { t0: T0 },
    client: ({ url, key }) => new Resend(key, { baseUrl: url }),
  });
}

/** What a response of the client carries; fails if it is an error. */
export function data<T>({ data: given, error }: { readonly data: T | null; readonly error: unknown }): T {
  if (given === null) throw new Error(`the call was rejected: ${JSON.stringify(error)}`);
  return given;
}

/** An event as the receiver got it, once its signature is the vendor's. */
export function verified(secret: string, { headers, body }: { headers: object; body: string }): Told {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as Told;
}

/** What a webhook says. */
export interface Told {
  readonly type: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
}
