import { jsonOrNull } from '../../engine/codecs/index.js';
import { ControlError, createSandbox } from '../../engine/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { packYaml } from '../openapi/yaml.js';
import { eventsIn, isStream } from './bodies.js';
import type { Recorded } from './read.js';
import { type PrivateKind, valueWithoutSecrets } from './secrets.js';

/** The pack's external event that converts recorded calls to objects. */
const TAKES = 'call.recorded';

/** Seed data made from recorded calls. */
interface RecordedSeeds {
  /** Seed data in the format of `sandbox seed`. */
  readonly text: string;
  readonly taken: number;
  /** The reason for the first rejected call; null if all were accepted. */
  readonly rejected: string | null;
}

/**
 * Converts recorded calls to seed data with the pack's external event `call.recorded`. Secrets are removed first.
 * @param folder of the pack
 * @param hide kinds of personal data that are replaced
 */
export async function seedsOf(
  folder: string,
  calls: readonly Recorded[],
  hide: readonly PrivateKind[],
): Promise<RecordedSeeds> {
  const sandbox = await createSandbox({ pack: folder, seed: 'recorded', onDefect: () => undefined });
  try {
    const state = async (): Promise<Readonly<Record<string, readonly JsonObject[]>>> =>
      ((await sandbox.control.call('GET', '/state')) as { resources: Record<string, JsonObject[]> }).resources;
    const before = await state();
    let taken = 0;
    let rejected: string | null = null;
    for (const call of calls) {
      try {
        await sandbox.control.event(TAKES, eventOf(call, hide));
        taken++;
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        rejected ??= error.message;
      }
    }
    const made = Object.entries(await state()).flatMap(([collection, objects]) => {
      const known = new Set((before[collection] ?? []).map(({ id }) => id));
      const added = objects.filter(({ id }) => !known.has(id)).map((each) => withoutNulls(each));
      return added.length === 0 ? [] : [[collection, added] as const];
    });
    return { text: packYaml({ resources: Object.fromEntries(made) }), taken, rejected };
  } finally {
    await sandbox.close();
  }
}

/** Converts a recorded call to arguments of the external event. */
function eventOf({ url, body, status, responseHeaders, text }: Recorded, hide: readonly PrivateKind[]): JsonObject {
  const clean = (value: Json): Json => valueWithoutSecrets(value, hide);
  const sent = jsonOrNull(body);
  const type = responseHeaders['content-type'];
  const shown = jsonOrNull(text);
  return {
    path: url.pathname,
    status,
    request: isObject(sent) ? clean(sent) : {},
    ...(isStream(type) ? { events: clean(eventsIn(text) as unknown as Json) } : {}),
    ...(!isStream(type) && isObject(shown) ? { response: clean(shown) } : {}),
  };
}

/** Copies an object without null members. */
function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each === null ? [] : [[key, isObject(each) ? withoutNulls(each) : each] as const],
    ),
  );
}
