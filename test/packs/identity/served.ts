import * as oidc from 'openid-client';
import { type StartOptions, startSandbox, TestSandbox } from '../../support/start-sandbox.js';
import { Visitor } from '../../support/visitor.js';

/* What the suites of the identity pack share. */

export const T0 = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
export const CALLBACK = 'http://localhost:3000/callback';
export const ANN = { email: 'ann@example.com', name: 'Ann', password: 'Correct-Horse-1' };

/** A sign-in that has begun. */
export interface Flow {
  readonly config: oidc.Configuration;
  readonly visitor: Visitor;
  readonly url: URL;
  readonly checks: { readonly pkceCodeVerifier: string; readonly expectedState: string; readonly expectedNonce: string };
}

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

/** The code of an OAuth error. */
export const rejection = (error: unknown) => {
  const { error: code, error_description: why, cause } = error as { error?: string; error_description?: string; cause?: unknown };
  return code ?? why ?? (cause instanceof Response ? cause.status : String(cause));
};

/** A sandbox of its own, which the test closes. */
export const begun = (options: StartOptions = {}): Promise<TestSandbox> => new TestSandbox('packs/identity', { key: 'mgmt_test', t0: T0, ...options }).open();

/** A sandbox of the pack for the tests of a file, and what signs people in there. Each test has Ann. */
export function serveIdentity(options: StartOptions = {}) {
  const id = startSandbox('packs/identity', { key: 'mgmt_test', t0: T0, reset: { t0: T0 }, ...options });

  /** The user of most tests. */
  const addAnn = () => id.body<{ user_id: string }>('POST /api/v2/users', { ...ANN, connection: 'Username-Password-Authentication' });

  /** What the library knows of the sandbox, for one of its clients. */
  const configOf = (client: string, more: Parameters<typeof oidc.discovery>[4] = {}): Promise<oidc.Configuration> =>
    oidc.discovery(
      new URL(id.url),
      client,
      client === 'spa' ? { token_endpoint_auth_method: 'none' } : `secret-of-${client}`,
      client === 'spa' ? oidc.None() : undefined,
      { execute: [oidc.allowInsecureRequests], ...more },
    );

  /** An application sends a person to the sandbox. */
  async function begin(client = 'web', more: Record<string, string> = {}, visitor = new Visitor(id.url)): Promise<Flow> {
    const config = await configOf(client);
    const checks = {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      expectedState: oidc.randomState(),
      expectedNonce: oidc.randomNonce(),
    };
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      ...more,
    });
    await visitor.open(url.href);
    return { config, visitor, url, checks };
  }

  /** The application exchanges the code with which the person came back. */
  const finish = ({ config, visitor, checks }: Flow): Promise<Tokens> =>
    oidc.authorizationCodeGrant(config, new URL(visitor.seen.url), checks);

  /** Ann is signed in, without a page. */
  async function signedIn(client = 'web', more: Record<string, string> = {}): Promise<Flow & { tokens: Tokens; sub: string }> {
    const flow = await begin(client, { sandbox_user: ANN.email, ...more });
    const tokens = await finish(flow);
    return { ...flow, tokens, sub: String(tokens.claims()?.sub) };
  }

  beforeEach(addAnn);
  return { id, configOf, begin, finish, signedIn };
}
