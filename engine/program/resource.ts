import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { ResourceDef, Schema } from '../model/index.js';
import type { ResponsePlan } from './response.js';
import type { Execution } from './execution.js';
import type { Operation } from './operation.js';
import type { EventProgram, OverObject, PinProblems } from './event.js';
import type { CollectionConfig, Row } from '../world/index.js';

/** Compiled steps. `self` is the object, `trigger` the payload of the machine's trigger; null: none. */
export type CompiledStep = (execution: Execution, self: Row, trigger: JsonObject | null) => void;

/** A delay, outside of an object's machine, after which steps run. */
export interface WaitProgram {
  readonly name: string;
  /** Name of the timer that ends the wait. */
  readonly trigger: string;
  /** Name of the delay that is the wait's length. */
  readonly delay: string;
  readonly when: (() => OverObject) | null;
  readonly run: () => CompiledStep;
}

/** A path in a resource's objects whose value tests can pin. */
export interface PinPath {
  readonly path: string;
  readonly keys: readonly string[];
  /** Whether the path is `path.*`: a pin then names one member of the field. */
  readonly members: boolean;
  readonly moments: ReadonlySet<string>;
  /** Returns the schema of the pinned value; for `path.*`, that of the whole field. */
  readonly schema: () => Schema;
  /** Whether the path is a field of the object; otherwise only the expression `pinned()` reads the pin. */
  readonly isField: boolean;
  /** Whether the pack's steps read the pin and set the field; if not, the engine sets the field. */
  readonly bySteps: boolean;
  /** The pack's checks of a pinned value; null: only the schema is checked. */
  readonly problems: (() => PinProblems) | null;
  readonly description: string;
}

/** A stored field, as seed data or another world fills it, without the steps that create objects. */
export interface StoredField {
  readonly name: string;
  readonly schema: Schema;
  /** Adds missing members to a sent value of an object type; undefined: the field's type has none. */
  readonly complete: Complete | undefined;
  /** Computes the field's value if seed data contains none. */
  readonly absent: (host: Host, made: JsonObject) => Json;
  /** Whether seed data must contain the field, or its steps compute it, since it has no default. */
  readonly required: () => boolean;
}

/** How the objects of seed data are completed. */
export interface Seeded {
  /** Runs the pack's steps that compute missing fields. `given` is the object's part of the seed data. */
  readonly complete: ((execution: Execution, row: Row, given: JsonObject) => unknown) | null;
  readonly rejections: readonly SeedRejection[];
  /** Computes when the object entered its state, from which its timers are counted; null: now. */
  readonly since: OverObject | null;
}

/** A condition under which a completed object of seed data is rejected, with its message. */
export interface SeedRejection {
  /** Dotted path of the field that the message names. */
  readonly path: string;
  readonly message: string;
  /** The condition, over the completed object and (as the payload) its part of the seed data. */
  readonly applies: OverObject;
}

/** Adds missing members to a value of an object type. @param made the containing object so far */
export type Complete = (value: Json, host: Host, made: JsonObject) => Json;

/** Creates objects with all fields of a resource in the same order, so that V8 uses one hidden class for all. */
export interface RenderedShape {
  /** Creates an object in which every field is null. */
  blank(): Record<string, Json>;
  copy(object: JsonObject): Record<string, Json>;
}

/** The compiled behavior of a resource's objects. Parts that a call may not need are compiled on first use. */
export interface ResourceProgram {
  readonly def: ResourceDef;
  readonly index: number;
  readonly shape: () => RenderedShape;
  readonly collection: CollectionConfig;
  /** Compiles how the stored fields of objects in seed data are filled. */
  readonly stored: () => readonly StoredField[];
  /** Compiles how objects of seed data are completed. */
  readonly seeded: () => Seeded;
  readonly guards: () => ReadonlyMap<string, () => OverObject>;
  readonly actions: ReadonlyMap<string, () => CompiledStep>;
  readonly delays: ReadonlyMap<string, () => OverObject>;
  /** The waits of the resource's objects, by timer name. */
  readonly waits: ReadonlyMap<string, WaitProgram>;
  readonly waitsOnCreated: readonly WaitProgram[];
  readonly waitsOnEnter: ReadonlyMap<string, readonly WaitProgram[]>;
  readonly rejections: ReadonlyMap<string, () => { readonly error: string; readonly args: OverObject }>;
  readonly events: ReadonlyMap<string, EventProgram>;
  readonly onCreated: readonly EventProgram[];
  readonly onUpdated: readonly EventProgram[];
  /** Events emitted at the end of a command that changed the object. */
  readonly onChanged: readonly EventProgram[];
  readonly onDeleted: readonly EventProgram[];
  readonly onEnter: ReadonlyMap<string, readonly EventProgram[]>;
  readonly dependents: readonly Dependent[];
  /** Returns the current id of an object that was moved to another id; null: objects of this resource never move. */
  readonly movedTo: (() => (host: Host, id: string) => Json) | null;
  readonly pins: readonly PinPath[];
  readonly pinsAt: ReadonlyMap<string, readonly PinPath[]>;
  readonly branches: readonly string[];
  /** How the mailbox shows the resource's objects; null: they aren't messages. */
  readonly message: (() => MessagePlan) | null;
  readonly response: () => ResponsePlan;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** How the mailbox shows objects of a resource. */
export interface MessagePlan {
  /** Condition under which the mailbox shows an object. */
  readonly when: OverObject;
  /** Computes the parts of a message by their names in the pack's file; `at` is a timestamp, `attachments` a list. */
  readonly parts: OverObject;
  /** The external event that a reply fires, and its parameters that follow from the message. Null: no replies. */
  readonly reply: { readonly cause: string; readonly params: OverObject } | null;
}

/** A reference to objects of a resource, with the effect that deleting such an object has on the referring one. */
export interface Dependent {
  /** Number of the resource whose objects refer to another object. */
  readonly resource: number;
  /** Name of the field that contains the id of the other object. */
  readonly field: string;
  readonly rule: 'cascade' | 'refuse' | 'clear';
}

/** Builds event objects from `events.with` of pack.yaml. */
export interface EventMaker {
  readonly resource: ResourceProgram;
  /**
   * Builds an event. Only events of an `EventKind`, which report ordinary events, have `path` and `event`.
   * @param version API version in which the event is written; null: the pack has no versions
   * @param path path that retrieves the event's object; null: no path does
   * @param event the ordinary event that the new one reports; null: none
   */
  make(
    execution: Execution,
    type: string,
    object: JsonObject,
    snapshot: Json,
    previous: Json,
    id: string,
    version: string | null,
    path?: string | null,
    event?: JsonObject | null,
  ): JsonObject;
  /** Compiles the event's functions now instead of on first use, so that problems are reported. */
  check(): void;
  /** Compiles how events are written when they are first read; null: they are written at once. */
  readonly late: () => LateMaker | null;
}

/** Writes an event in steps: fields that a command shares, fields that events of one name share, and the rest. */
export interface LateMaker {
  /** Computes the fields that depend only on the time and the request; `request` is null without a request. */
  common(now: Json, request: { readonly id: string | null; readonly idempotency_key: string | null }): JsonObject;
  /** Computes the fields that depend on the object, the execution or the version, and not only on the snapshot. */
  own(execution: Execution, type: string, object: JsonObject, version: string | null): JsonObject;
  /** Builds the event from the fields of `common` and `own`, and the rest. */
  write(
    common: JsonObject,
    own: JsonObject,
    type: string,
    object: JsonObject,
    snapshot: Json,
    previous: Json,
    id: string,
    version: string | null,
  ): JsonObject;
}

/** A kind of events besides ordinary ones. */
export interface EventKind {
  readonly name: string;
  readonly maker: EventMaker;
  /** For each ordinary event that the kind reports, the name in that kind. */
  readonly reported: ReadonlyMap<string, string>;
}
