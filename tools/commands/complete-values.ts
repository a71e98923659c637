import { sendCall } from '../../engine/control/send.cjs';
import { findPack, packsIn, installation } from '../command/installation.js';
import { basename, join } from 'node:path';

/** The names in a pack that can be completed. */
interface Names {
  readonly resources: readonly {
    readonly collection: string;
    readonly operations: readonly { readonly operation: string }[];
    readonly pins: readonly { readonly path: string }[];
    readonly machine: { readonly states: readonly { readonly name: string }[] } | null;
    readonly branches: readonly string[];
  }[];
  readonly causes: readonly {
    readonly cause: string;
    readonly variants: readonly { readonly subject: { readonly param: string } | null; readonly params: object }[];
  }[];
  readonly scenarios: readonly { readonly name: string }[];
  readonly durations: readonly { readonly name: string }[];
  readonly events: readonly string[];
  readonly errors: readonly string[];
}

/** The position on the command line: a subcommand, the current argument or option, and the arguments before it. */
export interface WrittenPlace {
  readonly command: string;
  /** The argument or option, such as `cause`, `resource` or `--until`. */
  readonly name: string;
  readonly before: readonly string[];
}

/** Longest wait for a running server, in milliseconds: a person waits after pressing Tab. */
const TIMEOUT_MS = 700;

/** Lists possible values: names of the running server's pack, or else of a bundled one. */
export async function valuesFor(place: WrittenPlace): Promise<readonly string[]> {
  if (place.name === 'pack' || place.name === 'packs')
    return packsIn(join(installation(), 'packs')).map((folder) => basename(folder));
  const listed = LISTED[`${place.command} ${place.name}`] ?? LISTED[place.name];
  if (listed !== undefined) return namesListed(listed);
  const pick = PICKS[`${place.command} ${place.name}`] ?? PICKS[place.name];
  if (!pick) return [];
  return pick((await served()) ?? (await shipped(place.before[0])), place);
}

const collections = ({ resources }: Names): string[] => resources.map(({ collection }) => collection);
const events = (names: Names): readonly string[] => names.events;

const PICKS: Readonly<Record<string, (names: Names, place: WrittenPlace) => readonly string[]>> = {
  cause: ({ causes }) => causes.map(({ cause }) => cause),
  params: ({ causes }, { before: [cause] }) => {
    const known = causes.find((each) => each.cause === cause)?.variants ?? [];
    const own = known.flatMap(({ subject, params }) => [...(subject ? [subject.param] : []), ...Object.keys(params)]);
    return [...new Set(own)].map((name) => `${name}=`);
  },
  resource: collections,
  '--resource': collections,
  call: ({ resources }) => resources.flatMap(({ operations }) => operations.map(({ operation }) => operation)),
  path: ({ resources }, { before: [of] }) =>
    resources.filter(({ collection }) => collection === of).flatMap(({ pins }) => pins.map(({ path }) => path)),
  durations: ({ durations }) => durations.map(({ name }) => `${name}=`),
  '--event': events,
  '--events': events,
  '--until': events,
  'objects --status': ({ resources }, { before: [of] }) =>
    resources.find(({ collection }) => collection === of)?.machine?.states.map(({ name }) => name) ?? [],
  '--branch': ({ resources }, { before: [of] }) =>
    resources.find(({ collection }) => collection === of)?.branches ?? [],
  '--cause': ({ causes }) => causes.map(({ cause }) => cause),
  '--code': ({ errors }) => errors,
  '--operation': (names) => PICKS['call'](names, NOWHERE),
  // Lists all names that `sandbox explain` accepts.
  name: (names) => [
    ...PICKS['call'](names, NOWHERE),
    ...names.events,
    ...names.errors,
    ...names.durations.map(({ name }) => name),
  ],
};

/** The calls that list values of a running server, by argument, alone or after its command. */
const LISTED: Readonly<Record<string, string>> = {
  'world id': '/worlds',
  'end-world id': '/worlds',
  '--world': '/worlds',
  'rewind to': '/moments',
  'forget id': '/moments',
  'diff from': '/moments',
  'diff to': '/moments',
  '--at': '/moments',
  'clear-faults id': '/faults',
  'unpin id': '/exogenous/pins',
  'remove-endpoint id': '/webhooks/endpoints',
  '--endpoint': '/webhooks/endpoints',
  'clear-delivery-faults id': '/webhooks/faults',
  'resend id': '/webhooks/deliveries',
  'trace id': '/traces',
  'exchange id': '/traces',
};

/** Lists the names, or else the ids, of the items in a list of the control API. */
async function namesListed(path: string): Promise<readonly string[]> {
  const { data = [] } = (await asked<Listed>(path)) ?? {};
  return data.flatMap(({ name, id, trace }) => name ?? id ?? trace ?? []);
}

interface Listed {
  readonly data?: readonly { readonly name?: string | null; readonly id?: string; readonly trace?: string }[];
}

const NOWHERE: WrittenPlace = { command: '', name: '', before: [] };

/** Requests the pack of the server in the environment; undefined if none responds. */
const served = (): Promise<Names | undefined> => asked<Names>('/pack');

/** Makes a control API call, and returns the response; undefined if no server responds. */
async function asked<T>(path: string): Promise<T | undefined> {
  const { SANDBOX_URL: url = 'http://localhost:8801', SANDBOX_API_KEY, SANDBOX_KEY } = process.env;
  const key = SANDBOX_API_KEY ?? SANDBOX_KEY;
  if (key === undefined) return undefined;
  const headers = { Authorization: `Bearer ${key}` };
  try {
    const address = `${url.replace(/\/+$/, '')}/__admin__${path}`;
    const response = await sendCall(address, { method: 'GET', headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? (JSON.parse(await response.text()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the names of a bundled pack for completion. */
async function shipped(given = DEFAULT): Promise<Names> {
  // Loaded here, since the engine isn't needed if a server responds.
  const { packView } = await import('../../engine/control/index.js');
  const { loadPack, PackCache } = await import('../../engine/index.js');
  const folder = await findPack(given).catch(() => findPack(DEFAULT));
  const { pack } = loadPack(folder, { cache: PackCache.ofInstallation({ readOnly: true }) });
  if (!pack) throw new Error(`${folder} has errors`);
  return packView(pack) as unknown as Names;
}

const DEFAULT = 'payments';
