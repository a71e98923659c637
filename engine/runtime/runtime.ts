import type { Json } from '../values/index.js';
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
import type { EventForm } from './response.js';
import { type Readable, WorldReader } from './reader.js';
import type { Surroundings } from './surroundings.js';
import { TimeOwners } from './time-owners.js';

/** Maximum number of cached one-item lists of origins per path. */
const MOST_SOURCES = 64;

/** A compiled pack on a world, with data that all its commands share. */
export class Runtime implements Readable {
  readonly model: Model;
  readonly resources: readonly ResourceProgram[];
  readonly maker: EventMaker | null;
  readonly endpoints: Endpoints | null;
  /** The shape of objects in the account's API version, in which events are written; null: the base version's. */
  readonly shape: VersionShape | null;
  /** Number of the resource whose objects are tenants; -1: none. */
  readonly tenantResource: number;
  readonly times: TimeOwners;
  /** Whether any resource emits an event for each change of its objects. */
  readonly reportsChanges: boolean;
  /** Evaluates expressions outside of commands. */
  readonly reader: WorldReader;
  /** Shared data of events that are written on first read, by event. */
  readonly eventForms = new Map<EventProgram, EventForm>();
  /** Recently used one-item lists of origins, by path and value. */
  readonly #sources = new Map<string, Map<Json, readonly [Provenance]>>();

  constructor(
    readonly pack: Program,
    readonly world: World,
    readonly surroundings: Surroundings,
    /** Whether calls that use something the vendor documents and the pack doesn't emulate are rejected. */
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

  /** Returns a list that contains one origin; equal lists are shared, since thousands of objects refer to one. */
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

/** Lists the resources whose objects are endpoints; null: the pack delivers nothing. */
function endpointsOf({ model: { settings, byName } }: Program): readonly ResourceDef[] | null {
  if (!settings.delivery) return null;
  return endpointNames(settings.delivery).flatMap((name) => byName.get(name) ?? []);
}
