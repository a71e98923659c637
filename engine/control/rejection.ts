import type { ControlCode, Named, PackErrorName } from '../codes.js';
import type { JsonObject } from '../values/index.js';
import { didYouMean, suggest } from '../pack/index.js';

type RejectionStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 507;

/** An error response of the control API. `details` become members beside `code` and `message`. */
export class ControlRejection extends Error {
  constructor(
    readonly status: RejectionStatus,
    readonly code: ControlCode | PackErrorName,
    message: string,
    readonly details: JsonObject = {},
  ) {
    super(message);
  }
}

/** The rejection (404) for an unknown name. `near` is the suggestion. */
export function unknown(what: Named, name: string, near?: string, details: JsonObject = {}): ControlRejection {
  const suggestion: JsonObject = near === undefined ? {} : { suggestion: near };
  return new ControlRejection(404, `unknown_${what}`, `there is no ${what} '${name}'${didYouMean(near)}`, {
    ...suggestion,
    ...details,
  });
}

/** The rejection (404) for an unknown world. */
export async function unknownWorld(
  worlds: { list(): Promise<readonly { readonly id: string; readonly name: string }[]> },
  id: string,
  details: JsonObject = {},
): Promise<ControlRejection> {
  const known = await worlds.list();
  return unknown(
    'world',
    id,
    suggest(
      id,
      known.flatMap((world) => [world.name, world.id]),
    ),
    details,
  );
}

/** The rejection (404) for a pack that this server doesn't serve. */
export function unknownPack(name: string, served: readonly string[]): ControlRejection {
  const near = suggest(name, served);
  const hint = near === undefined ? `; served are ${served.join(', ')}` : didYouMean(near);
  return new ControlRejection(404, 'unknown_pack', `there is no pack '${name}' here${hint}`, {
    path: 'pack',
    ...(near === undefined ? {} : { suggestion: near }),
  });
}
