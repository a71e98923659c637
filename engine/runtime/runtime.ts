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

/** Deliveries, as expressions read them. */
export interface SentDeliveries {
  /** The number of deliveries of an event that weren't accepted yet. */
  undelivered(eventId: string): number;
  /** The deliveries to an endpoint, newest first: `{id, event, type, status, attempts, made_at, done_at}`. */
  deliveries(endpointId: string): readonly JsonObject[];
}

/** The address of a world. */
export interface WorldAddress {
  /** Empty while it is unknown. */
  origin: string;
  /** Whether a `Host` header names this address; false for foreign names that resolve to it (DNS rebinding). */
  readonly admits: (host: string | undefined) => boolean;
}

/** Calls operations within a command. */
export interface InnerCalls {
  /** @param headers by their names in the pack; null: those of the current call. @returns `{status, body}` */
  within(command: CommandExecution, operation: string, given: JsonObject, headers: JsonObject | null): JsonObject;
}

const NO_CALLS: InnerCalls = {
  within(_command, operation) {
    throw new Error(`nothing serves ${operation} here`);
  },
};

/** The surroundings of a world. */
export interface Surroundings {
  readonly address: WorldAddress;
  readonly sent: SentDeliveries;
  /** The store of bytes that are too large for a value; null: all are values. */
  readonly files: ByteStore | null;
}

/** Surroundings of a world that can't be called and sends nothing. */
export const NO_SURROUNDINGS: Surroundings = {
  address: { origin: '', admits: () => true },
  sent: { undelivered: () => 0, deliveries: () => [] },
  files: null,
};

/** Lists of one origin that are cached for each path. */
const MOST_SOURCES = 64;

/** A compiled pack on a world, shared by all its commands. */
export class Runtime {
  readonly model: Model;
  readonly resources: readonly ResourceProgram[];
  readonly maker: EventMaker | null;
  readonly endpoints: Endpoints | null;
  /** The account's version, in which events are written. Null: the base. */
  readonly shape: VersionShape | null;
  /** Number of the resource whose objects are tenants; -1 if there is none. */
  readonly tenantResource: number;
  readonly times: TimeOwners;
  /** Whether some resource emits events of all changes. */
  readonly reportsChanges: boolean;
  /** Reads outside of commands. */
  readonly reader: WorldReader;
  /** The shared parts of events that are written on first read, by event. */
  readonly eventForms = new Map<EventProgram, EventForm>();
  /** Calls operations within commands; set by `OperationCalls`. */
  calls: InnerCalls = NO_CALLS;
  /** Recent lists of one origin, by path and value. */
  readonly #sources = new Map<string, Map<Json, readonly [Provenance]>>();

  constructor(
    readonly pack: Program,
    readonly world: World,
    readonly surroundings: Surroundings,
    /** Rejects calls that request what the pack doesn't emulate. */
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

  /** A list with one origin: an equal earlier one if there is any, since thousands of objects keep one. */
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

/** The resources of endpoints; null if nothing is delivered. */
function endpointsOf({ model: { settings, byName } }: Program): readonly ResourceDef[] | null {
  if (!settings.delivery) return null;
  return endpointNames(settings.delivery).flatMap((name) => byName.get(name) ?? []);
}
