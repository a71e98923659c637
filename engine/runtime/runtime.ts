import type { ByteStore, Json, JsonObject } from '../values/index.js';
import { endpointNames, type Model, type ResourceDef } from '../model/index.js';
import type {
  DeliveryPlan,
  EndpointPlan,
  EventMaker,
  EventProgram,
  Program,
  ResourceProgram,
  VersionShape,
} from '../program/index.js';
import type { Provenance, World } from '../world/index.js';
import { Endpoints } from './endpoints.js';
import type { CommandExecution } from './command-execution.js';
import type { EventForm } from './events.js';
import { WorldReader } from './reader.js';
import { TimeOwners } from './time-owners.js';

/** What was sent, as expressions see it. */
export interface SentDeliveries {
  /** How many deliveries of an event were not taken yet. */
  undelivered(eventId: string): number;
  /** What was sent to an endpoint, newest first: `{id, event, type, status, attempts, made_at, done_at}`. */
  deliveries(endpointId: string): readonly JsonObject[];
}

/** Where a world can be called. */
export interface WorldAddress {
  /** Empty until it is known. */
  origin: string;
  /** Whether a `Host` header names it; the header of a foreign page whose name was made to lead here does not. */
  readonly admits: (host: string | undefined) => boolean;
}

/** Calls operations within a command. */
export interface InnerCalls {
  /** @param headers by their names in the pack; null: those of the call that is served. @returns `{status, body}` */
  within(command: CommandExecution, operation: string, given: JsonObject, headers: JsonObject | null): JsonObject;
}

const NO_CALLS: InnerCalls = {
  within(_command, operation) {
    throw new Error(`nothing serves ${operation} here`);
  },
};

/** What lies around a world. */
export interface Surroundings {
  readonly address: WorldAddress;
  readonly sent: SentDeliveries;
  /** Where bytes are that are too many for a value; null: they are values all the same. */
  readonly files: ByteStore | null;
}

/** Of a world that cannot be called, and that sends nothing. */
export const NO_SURROUNDINGS: Surroundings = {
  address: { origin: '', admits: () => true },
  sent: { undelivered: () => 0, deliveries: () => [] },
  files: null,
};

/** Lists of one source that are remembered of a path. */
const MOST_SOURCES = 64;

/** A compiled pack over a world: what every command works with. */
export class Runtime {
  readonly model: Model;
  readonly resources: readonly ResourceProgram[];
  readonly maker: EventMaker | null;
  readonly endpoints: Endpoints | null;
  /** How the account's version shows objects: events are written so. Null: as they are declared. */
  readonly shape: VersionShape | null;
  /** Number of the resource whose objects are tenants; -1: there are none. */
  readonly tenantResource: number;
  readonly times: TimeOwners;
  /** Some resource has events of all changes. */
  readonly reportsChanges: boolean;
  /** What is read outside of commands. */
  readonly reader: WorldReader;
  /** What events of one name have in common, where they are written when they are read. */
  readonly eventForms = new Map<EventProgram, EventForm>();
  /** Calls operations within commands; set by what serves calls. */
  calls: InnerCalls = NO_CALLS;
  /** Some lists of one source that were made last, by paths and values. */
  readonly #sources = new Map<string, Map<Json, readonly [Provenance]>>();

  constructor(
    readonly pack: Program,
    readonly world: World,
    readonly surroundings: Surroundings,
    /** A call that asks for what the pack doesn't emulate is rejected. */
    readonly strict = false,
  ) {
    this.model = pack.model;
    this.resources = pack.resources;
    this.reportsChanges = pack.resources.some(({ onChanged }) => onChanged.length > 0);
    this.maker = pack.eventMaker;
    this.shape = pack.versions?.current.shape ?? null;
    this.tenantResource = pack.tenants?.resource ?? -1;
    this.times = new TimeOwners(pack.times, world);
    this.reader = new WorldReader(this);
    const receiving = endpointsOf(pack);
    const plan = (): EndpointPlan => (pack.delivery() as DeliveryPlan).endpoint;
    this.endpoints =
      receiving &&
      new Endpoints(receiving, plan, world, this.reader, pack.model.settings.versions?.current, pack.eventKinds);
  }

  /** A list of one source: one that was made before, if that is equal, since thousands of objects keep one. */
  onlySource(made: Provenance): readonly [Provenance] {
    const { path, source, value } = made;
    let lists = this.#sources.get(path);
    if (lists === undefined) this.#sources.set(path, (lists = new Map<Json, readonly [Provenance]>()));
    const known = lists.get(value);
    if (known !== undefined && known[0].source === source) return known;
    if (lists.size >= MOST_SOURCES) lists.clear();
    const only = [made] as const;
    lists.set(value, only);
    return only;
  }
}

/** The resources of what receives events; null: nothing is delivered. */
function endpointsOf({ model: { settings, byName } }: Program): readonly ResourceDef[] | null {
  if (!settings.delivery) return null;
  return endpointNames(settings.delivery).flatMap((name) => byName.get(name) ?? []);
}
