import type { JsonObject } from '../values/index.js';
import type { ResourceDef } from '../model/index.js';
import type { Cause, Operation, PinPath, Program, ResourceProgram, VendorClient } from '../program/index.js';
import { formatDuration } from '../world/index.js';
import { graphOf, type MachineGraph } from './diagram/graph.js';
import { allEventTypes } from './lookup.js';
import { fieldsView, schemaView } from './schema-view.js';

const views = new WeakMap<Program, JsonObject>();

/** The vendor at a glance: all that a pack declares, as far as people and forms need it. Made once per pack. */
export function packView(pack: Program): JsonObject {
  const known = views.get(pack);
  if (known) return known;
  const { settings, errors } = pack.model;
  const view: JsonObject = {
    name: settings.name,
    title: settings.title,
    version: settings.version,
    faithful_to: settings.faithfulTo,
    base_path: settings.basePath,
    requests: settings.requests,
    timestamps: settings.time,
    versions: pack.versions && {
      current: pack.versions.current.name,
      all: pack.versions.all.map(({ name, changes }) => ({ name, changes: [...changes] })),
    },
    key_scheme: settings.auth.schemes[0] ?? 'bearer',
    client: pack.client && {
      package: pack.client.package,
      begin: pack.client.begin,
      object: pack.client.object,
      options: Object.fromEntries(pack.client.options),
    },
    resources: pack.resources.map((resource) => resourceView(resource, pack.client)),
    causes: [...pack.causes.values()].map((cause) => causeView(cause)),
    scenarios: [...pack.scenarios().values()].map(({ name, description, operations }) => ({
      name,
      description,
      operations: operations && [...operations],
    })),
    seeds: [...pack.seeds().values()].map(({ name, description }) => ({ name, description })),
    magic_values: pack.magic.families.map(({ name, resource, values }) => ({
      family: name,
      stands_for: resource.name,
      values: [...values().keys()],
    })),
    durations: [...settings.durations.values()].map(({ name, defaultMs, description }) => ({
      name,
      default: defaultMs === null ? 'none' : formatDuration(defaultMs),
      description,
    })),
    events: [...allEventTypes(pack)],
    errors: [...errors.keys()],
    event_collections: [pack.eventMaker, ...[...pack.eventKinds.values()].map(({ maker }) => maker)].flatMap(
      (each) => each?.resource.def.collection ?? [],
    ),
  };
  views.set(pack, view);
  return view;
}

function resourceView(
  { def, operations, pins, branches, events }: ResourceProgram,
  client: VendorClient | null,
): JsonObject {
  const graph = machineGraph(def);
  return {
    name: def.name,
    collection: def.collection,
    title: def.title,
    singleton: def.singleton,
    status: def.status,
    order: def.file.order ?? null,
    fields: fieldsView(def.schema.fields),
    machine: graph && machineView(def, graph),
    operations: [...operations.values()].map((operation) => operationView(operation, client)),
    events: [...events.keys()],
    pins: pins.map((pin) => pinView(pin)),
    branches: [...branches],
  };
}

/** The graph of a resource's machine; null: it has none. */
export function machineGraph({ file, machine }: ResourceDef): MachineGraph | null {
  return machine && file.machine ? graphOf(file.machine) : null;
}

function machineView({ machine }: ResourceDef, { states, arrows }: MachineGraph): JsonObject {
  return {
    initial: machine?.initial ?? null,
    states: states.map(({ name, isFinal, inside }) => ({ name, final: isFinal, inside: [...inside] })),
    transitions: arrows.map(({ from, to, triggers, timers, always }) => ({
      from,
      to,
      triggers: [...triggers],
      timers: [...timers],
      always,
    })),
  };
}

function operationView({ key, kind, routes, params, status }: Operation, client: VendorClient | null): JsonObject {
  const { method = '', path = '' } = routes.at(0) ?? {};
  const named = new Set(routes.at(0)?.names);
  return {
    operation: key,
    kind,
    method,
    path,
    status,
    ...(client ? { client: client.calls.get(key) ?? null } : {}),
    params: fieldsView(new Map([...params].filter(([name]) => !named.has(name))), 1),
  };
}

function pinView({ path, schema, members, moments, description }: PinPath): JsonObject {
  return { path, members, at: [...moments], description, value: schemaView(schema) };
}

function causeView({ name, variants }: Cause): JsonObject {
  return {
    cause: name,
    variants: variants.map(({ description, subject, params }) => ({
      description,
      subject: subject && { param: subject.param, resource: subject.resource.name },
      params: fieldsView(params),
    })),
  };
}
