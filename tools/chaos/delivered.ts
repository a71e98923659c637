/** Maximum number of deliveries in one response. */
const LISTED = 1_000;

/** The control call that lists a world's deliveries. */
export const DELIVERIES = `/webhooks/deliveries?limit=${LISTED}`;

/** Milliseconds of real time between releases of delayed deliveries while a check runs. */
export const RELEASE_MS = 400;

interface Listed {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string };
}

function listed(response: Readonly<Record<string, unknown>>): readonly Listed[] {
  return Array.isArray(response['data']) ? (response['data'] as readonly Listed[]) : [];
}

/** Extracts the ids from a listing of deliveries. */
export function deliveredIds(response: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return new Set(listed(response).map(({ id }) => id));
}

/**
 * Names of events that were delivered since an earlier listing, in order; each event counts once, however many endpoints receive it. @param before
 * ids in the earlier listing
 */
export function deliveredNames(response: Readonly<Record<string, unknown>>, before: ReadonlySet<string>): string[] {
  const events = new Map<string, string>();
  for (const { id, event } of [...listed(response)].reverse()) if (!before.has(id)) events.set(event.id, event.type);
  return [...events.values()];
}
