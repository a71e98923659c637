import type { Json, JsonObject } from '../values/index.js';
import type { RequestInfo } from '../model/index.js';

/** What a call brought, as the ledger tells it: enough to make it again. */
export interface Called {
  readonly request: RequestInfo;
  readonly given: JsonObject;
  /** Parameters came as text. */
  readonly text: boolean;
  readonly expand: readonly string[];
  /** Name of the scenario that a header ordered. */
  readonly scenario: string | null;
  /** The tenant that a header named; null: none did. */
  readonly tenant: string | null;
  /** Media ranges that the caller accepts, where the response depends on them. */
  readonly accepts?: readonly string[];
}

/**
 * The arguments of a call. What is as usual is left out.
 * @param current the version that is meant when a call names none
 */
export function argsOf(
  { request, given, text, expand, scenario, tenant, accepts = [] }: Called,
  current: string | null,
): JsonObject {
  const { method, path, idempotency_key, version, key, token, headers } = request;
  const args: Record<string, Json> = { method, path, idempotency_key, params: given };
  if (!text) args['json'] = true;
  if (expand.length > 0) args['expand'] = expand;
  if (scenario !== null) args['scenario'] = scenario;
  if (version !== current) args['version'] = version;
  if (tenant !== null) args['tenant'] = tenant;
  if (accepts.length > 0) args['accept'] = accepts.join(', ');
  if (key !== null) args['key'] = key;
  if (token !== null) args['token'] = token;
  for (const _ in headers) {
    args['headers'] = headers;
    break;
  }
  return args;
}
