import type { Json, JsonObject } from '../values/index.js';
import type { Host } from '../expression/index.js';
import type { EventFile, ResourceDef, Schema } from '../model/index.js';
import type { ResponsePlan } from './response.js';
import type { Execution } from './execution.js';
import type { Operation } from './operation.js';
import type { CompiledStep, OverObject, PinProblems } from './step.js';
import type { CollectionConfig, Row } from '../world/index.js';

/** What happens to an object after a time, beside its machine. */
export interface WaitProgram {
  readonly name: string;
  /** The name of its timer. */
  readonly trigger: string;
  /** The named delay. */
  readonly delay: string;
  readonly when: (() => OverObject) | null;
  readonly run: () => CompiledStep;
}

/** An event that a resource emits. */
export interface EventProgram {
  readonly name: string;
  readonly file: EventFile;
  readonly when: (() => OverObject) | null;
  /** What it shows instead of the object; null: the object. */
  readonly snapshot: (() => OverObject) | null;
  /** Whether `previous_attributes` applies to it. */
  readonly reportsPrevious: boolean;
  /** The kind of event that it is; null: an ordinary one. */
  readonly kind: string | null;
  /** Events of other kinds that carry it too. */
  readonly reported: readonly { readonly kind: string; readonly as: string }[];
}

/** A pinnable path of a resource. */
export interface PinPath {
  readonly path: string;
  readonly keys: readonly string[];
  /** `path.*`: any member of the field. */
  readonly members: boolean;
  readonly moments: ReadonlySet<string>;
  /** The schema of the value; of the field that holds it for `path.*`. */
  readonly schema: () => Schema;
  /** The path is a field of the object (otherwise only `pinned()` reads it). */
  readonly isField: boolean;
  /** The pack's steps read the pin and write the field: it is not overwritten. */
  readonly bySteps: boolean;
  /** What is wrong with a value; null: all is well that fits the schema. */
  readonly problems: (() => PinProblems) | null;
  readonly description: string;
}

/** A stored field as an object takes it that no step makes: a seed's, or one that is carried over. */
export interface StoredField {
  readonly name: string;
  readonly schema: Schema;
  /** Fills in what a value of an object type leaves out. */
  readonly complete: Complete | undefined;
  /** What is there when nothing is given. */
  readonly absent: (host: Host, made: JsonObject) => Json;
  /** Nothing natural is there: it has to be given, or derived. */
  readonly required: () => boolean;
}

/** What a resource says of objects that a seed brings. `given` is what the seed says of the object. */
export interface Seeded {
  /** Completes an object: derives what it leaves out. */
  readonly complete: ((execution: Execution, row: Row, given: JsonObject) => unknown) | null;
  readonly rejections: readonly SeedRejection[];
  /** When the object entered its status. */
  readonly since: OverObject | null;
}

/** Completed objects that could not live on. */
export interface SeedRejection {
  /** The field that is wrong, dotted. */
  readonly path: string;
  readonly message: string;
  /** Given the object and what the seed said of it. */
  readonly applies: OverObject;
}

/** Fills in what a value of an object type leaves out. `made` is the object that it becomes a part of, so far. */
export type Complete = (value: Json, host: Host, made: JsonObject) => Json;

/** How objects of a resource are laid out: all of them the same, so that what reads them sees one shape. */
export interface RenderedShape {
  /** An object whose every field is null. */
  blank(): Record<string, Json>;
  copy(object: JsonObject): Record<string, Json>;
}

/** Everything that can happen to objects of a resource, compiled. Parts that a call may not need are compiled when used. */
export interface ResourceProgram {
  readonly def: ResourceDef;
  readonly index: number;
  readonly shape: () => RenderedShape;
  readonly collection: CollectionConfig;
  /** How objects come about that no step makes. */
  readonly stored: () => readonly StoredField[];
  /** How objects of a seed become whole. */
  readonly seeded: () => Seeded;
  readonly guards: () => ReadonlyMap<string, () => OverObject>;
  readonly actions: ReadonlyMap<string, () => CompiledStep>;
  readonly delays: ReadonlyMap<string, () => OverObject>;
  /** By the names of their timers. */
  readonly waits: ReadonlyMap<string, WaitProgram>;
  readonly waitsOnCreated: readonly WaitProgram[];
  readonly waitsOnEnter: ReadonlyMap<string, readonly WaitProgram[]>;
  readonly rejections: ReadonlyMap<string, () => { readonly error: string; readonly args: OverObject }>;
  readonly events: ReadonlyMap<string, EventProgram>;
  readonly onCreated: readonly EventProgram[];
  readonly onUpdated: readonly EventProgram[];
  /** At the end of a command that changed it. */
  readonly onChanged: readonly EventProgram[];
  readonly onDeleted: readonly EventProgram[];
  readonly onEnter: ReadonlyMap<string, readonly EventProgram[]>;
  readonly dependents: readonly Dependent[];
  /** The id by which an object is there that has moved from an id; null: none of its resource moves. */
  readonly movedTo: (() => (host: Host, id: string) => Json) | null;
  readonly pins: readonly PinPath[];
  readonly pinsAt: ReadonlyMap<string, readonly PinPath[]>;
  readonly branches: readonly string[];
  /** How its objects are shown in the mailbox; null: they are no messages. */
  readonly message: (() => MessagePlan) | null;
  readonly response: () => ResponsePlan;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** Objects as messages to people. */
export interface MessagePlan {
  /** Whether an object is one. */
  readonly when: OverObject;
  /** Its parts by the names in the file; `at` is a timestamp, `attachments` a list. */
  readonly parts: OverObject;
  /** How people reply: the external event, and its parameters that follow from the message. Null: they cannot. */
  readonly reply: { readonly cause: string; readonly params: OverObject } | null;
}

/** Objects that refer to others of a resource, and what becomes of them when those are deleted. */
export interface Dependent {
  /** Number of their resource. */
  readonly resource: number;
  /** The field that holds the id. */
  readonly field: string;
  readonly rule: 'cascade' | 'refuse' | 'clear';
}

/** The parts of an event object that pack.yaml `events.with` puts together. */
export interface EventMaker {
  readonly resource: ResourceProgram;
  /**
   * @param version of the API that it is written in
   * @param path where the object is retrieved, and the ordinary event: of events of other kinds only
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
  /** Compiles it now, so that its problems are found. */
  check(): void;
  /** How its events are written on the first read; null: they cannot be. */
  readonly late: () => LateMaker | null;
}

/** An event in three parts: what all of a command have, what all of its name have, and the rest, which depends on nothing else. */
export interface LateMaker {
  /** Fields that depend on the time and on the request, where nothing caused it null. */
  common(now: Json, request: { readonly id: string | null; readonly idempotency_key: string | null }): JsonObject;
  /** Fields that depend on more than what the event shows. */
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

/** Events of another kind than the ordinary ones. */
export interface EventKind {
  readonly name: string;
  readonly maker: EventMaker;
  /** The ordinary events that it carries too, by the names under which it does. */
  readonly reported: ReadonlyMap<string, string>;
}
