import type { DocumentedCall } from './contract.js';
import { type Document, listOr, objectOr, textOr } from './document.js';
import type { SurveyedResource } from './survey.js';

/** Tokens of a document with OAuth: keys of `auth` in pack.yaml, and the resource of tokens. */
interface Tokens {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, Record<string, unknown>>>;
}

const TOKEN = 'oauth_token';
/** OAuth flows that issue tokens, simplest first. */
const FLOWS = ['clientCredentials', 'authorizationCode', 'password'] as const;
const HOUR_S = 3600;

/**
 * Builds tokens with scopes, if calls need scopes and the document names a token URL. A client is granted every scope that it requests, since
 * documents don't restrict them. The world's own key needs no scopes.
 */
export function tokensOf(
  document: Document,
  calls: readonly DocumentedCall[],
  found: readonly SurveyedResource[],
): Tokens | undefined {
  if (found.some(({ name, collection }) => name === TOKEN || collection === `${TOKEN}s`)) return undefined;
  if (!calls.some((call) => Object.keys(callScopes(document, call)).length > 0)) return undefined;
  const flows = Object.values(schemesOf(document)).map((each) => objectOr(document.at(each)['flows']));
  const address = FLOWS.flatMap((flow) => flows.map((each) => textOr(objectOr(each[flow])['tokenUrl']))).find(
    (each) => each !== '',
  );
  const path = address?.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/[?#].*$/, '') ?? '';
  if (!/^\/[\w./-]+$/.test(path) || calls.some((call) => call.path === path)) return undefined;
  return {
    auth: { tokens: { resource: TOKEN, field: 'access_token', when: 'self.expires_at > now', scopes: 'self.scope' } },
    files: {
      [TOKEN]: {
        resource: TOKEN,
        collection: `${TOKEN}s`,
        id: { prefix: 'tok_' },
        indexes: ['access_token'],
        at_most: { objects: 1000 },
        fields: {
          access_token: { type: 'string', default: '${random_string(40)}' },
          token_type: { const: 'Bearer' },
          scope: { type: 'string', default: '' },
          expires_in: { const: HOUR_S },
          expires_at: { type: 'timestamp', default: `\${shift(now, seconds(${HOUR_S}))}`, hidden: true },
        },
        operations: {
          issue: {
            kind: 'create',
            route: `POST ${path}`,
            open: true,
            params: { grant_type: { type: 'string', required: true, effect: 'hint' }, scope: 'string' },
            do: [{ create: TOKEN, with: { scope: "${default(params.scope, '')}" } }],
            return:
              "${{'access_token': self.access_token, 'token_type': 'Bearer', 'expires_in': self.expires_in, 'scope': self.scope}}",
          },
        },
      },
    },
  };
}

/** `scopes` of an operation, or `any_scope` if one of several is enough. */
export function callScopes(document: Document, { operation }: DocumentedCall): Record<string, readonly string[]> {
  const schemes = schemesOf(document);
  const isOAuth = (name: string): boolean =>
    ['oauth2', 'openIdConnect'].includes(textOr(document.at(schemes[name])['type']));
  const needed = listOr(operation['security'] ?? document.root['security']).map((each) => objectOr(each));
  const ways = needed.flatMap((each) =>
    Object.entries(each)
      .filter(([name]) => isOAuth(name))
      .map(([, scopes]) => listOr(scopes).map(String)),
  );
  const [first] = ways;
  if (first === undefined || ways.some((each) => each.length === 0)) return {};
  const any = new Set(ways.flat());
  const isOne = ways.length > 1 && any.size > 1 && ways.every((each) => each.length === 1);
  return isOne ? { any_scope: [...any] } : { scopes: [...new Set(first)] };
}

function schemesOf({ root }: Document): Readonly<Record<string, unknown>> {
  return objectOr(objectOr(root['components'])['securitySchemes']);
}
