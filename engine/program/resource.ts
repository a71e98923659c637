import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { ResourceDef, Schema } from '../model/index.js';
import type { ResponsePlan } from './response.js';
import type { Execution } from './execution.js';
import type { Operation } from './operation.js';
import type { EventProgram } from './event.js';
import type { OverObject, PinProblems } from './over-object.js';
import type { CompiledStep } from './step.js';
import type { CollectionConfig, Row } from '../world/index.js';

/** A delayed action of an object, outside of its machine. */
export interface WaitProgram {
  readonly name: string;
  /** The name of its timer. */
  readonly trigger: string;
  /** The name of its delay. */
  readonly delay: string;
  readonly when: (() => OverObject) | null;
  readonly run: () => CompiledStep;
}

/** A path of a resource that can be pinned. */
export interface PinPath {
  readonly path: string;
  readonly keys: readonly string[];
  /** `path.*`: any member of the field. */
  readonly members: boolean;
  readonly moments: ReadonlySet<string>;
  /** The schema of the value; for `path.*` that of the field. */
  readonly schema: () => Schema;
  /** The path is a field of the object; otherwise only `pinned()` reads it. */
  readonly isField: boolean;
  /** The pack's steps read the pin and set the field, so the engine doesn't. */
  readonly bySteps: boolean;
  /** The pack's checks of a value; null: only the schema applies. */
  readonly problems: (() => PinProblems) | null;
  readonly description: string;
}

/** A stored field of an object that is inserted without steps: from a seed or another world. */
export interface StoredField {
  readonly name: string;
  readonly schema: Schema;
  /** Adds missing members to a value of an object type. */
  readonly complete: Complete | undefined;
  /** The value if none is given. */
  readonly absent: (host: Host, made: JsonObject) => Json;
  /** Whether the field has to be given or computed, since there is no default. */
  readonly required: () => boolean;
}

/** How objects of seeds are completed. `given` is the object's data in the seed. */
export interface Seeded {
  /** Computes the missing parts of an object. */
  readonly complete: ((execution: Execution, row: Row, given: JsonObject) => unknown) | null;
  readonly rejections: readonly SeedRejection[];
  /** When the object entered its state. */
  readonly since: OverObject | null;
}

/** A check that rejects completed objects in an invalid state. */
export interface SeedRejection {
  /** Dotted path of the wrong field. */
  readonly path: string;
  readonly message: string;
  /** Gets the object and its data in the seed. */
  readonly applies: OverObject;
}

/** Adds missing members to a value of an object type. `made` is the surrounding object so far. */
export type Complete = (value: Json, host: Host, made: JsonObject) => Json;

/** The layout of a resource's objects: the same for all, so that V8 sees one shape. */
export interface RenderedShape {
  /** An object whose every field is null. */
  blank(): Record<string, Json>;
  copy(object: JsonObject): Record<string, Json>;
}

/** The compiled behavior of a resource's objects. Parts that a call may not need are compiled on first use. */
export interface ResourceProgram {
  readonly def: ResourceDef;
  readonly index: number;
  readonly shape: () => RenderedShape;
  readonly collection: CollectionConfig;
  /** The fields of objects that are inserted without steps. */
  readonly stored: () => readonly StoredField[];
  /** How objects of a seed are completed. */
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
  /** Emitted at the end of a command that changed the object. */
  readonly onChanged: readonly EventProgram[];
  readonly onDeleted: readonly EventProgram[];
  readonly onEnter: ReadonlyMap<string, readonly EventProgram[]>;
  readonly dependents: readonly Dependent[];
  /** The present id of an object that moved, by its earlier id; null: objects of this resource never move. */
  readonly movedTo: (() => (host: Host, id: string) => Json) | null;
  readonly pins: readonly PinPath[];
  readonly pinsAt: ReadonlyMap<string, readonly PinPath[]>;
  readonly branches: readonly string[];
  /** How the mailbox shows its objects; null: they are no messages. */
  readonly message: (() => MessagePlan) | null;
  readonly response: () => ResponsePlan;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** How the mailbox shows objects of a resource. */
export interface MessagePlan {
  /** Whether an object is a message. */
  readonly when: OverObject;
  /** Computes the parts of a message by their names in the file; `at` is a timestamp, `attachments` a list. */
  readonly parts: OverObject;
  /** How people reply: the external event, and its parameters that follow from the message. Null: they cannot. */
  readonly reply: { readonly cause: string; readonly params: OverObject } | null;
}

/** A reference to objects of a resource, and what happens to the referring objects when those are deleted. */
export interface Dependent {
  /** Number of the referring resource. */
  readonly resource: number;
  /** The field that holds the id. */
  readonly field: string;
  readonly rule: 'cascade' | 'refuse' | 'clear';
}

/** Builds event objects from `events.with` of pack.yaml. */
export interface EventMaker {
  readonly resource: ResourceProgram;
  /**
   * Builds an event.
   * @param version of the event
   * @param path that retrieves the object, and the ordinary event: for events of other kinds only
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
  /** How its events are written on first read; null: not possible. */
  readonly late: () => LateMaker | null;
}

/**
 * An event in three parts: those shared by a command's events, those shared by events of one name, and the rest, which depends
 * on nothing else.
 */
export interface LateMaker {
  /** Fields that depend on the time and the request; the request is null if there is none. */
  common(now: Json, request: { readonly id: string | null; readonly idempotency_key: string | null }): JsonObject;
  /** Fields of this event that need its object, the execution or the version to be computed; the snapshot alone isn't enough. */
  own(execution: Execution, type: string, object: JsonObject, version: string | null): JsonObject;
  /** The event. */
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

/** Events of a kind other than the ordinary ones. */
export interface EventKind {
  readonly name: string;
  readonly maker: EventMaker;
  /** The ordinary events that it reports, by their names in this kind. */
  readonly reported: ReadonlyMap<string, string>;
}
