import { isObject, type Json, type JsonObject } from '../values/index.js';
import { type Model, type ResourceDef, rulesOf, type Schema } from '../model/index.js';
import {
  type Cause,
  fileOf,
  type Operation,
  operationTitle,
  parameterDescription,
  type PinPath,
  type Program,
  type ResourceProgram,
  ruleTexts,
  type VendorClient,
} from '../program/index.js';
import { formatDuration } from '../world/index.js';
import { graphOf, type MachineGraph } from './diagram/graph.js';
import { allEventTypes } from './lookup.js';

const views = new WeakMap<Program, JsonObject>();

/** A pack's declarations, as far as people and forms need them. Computed once per pack. */
export function packView(pack: Program): JsonObject {
  const known = views.get(pack);
  if (known) return known;
  const { settings, errors } = pack.model;
  const [client, start] = [pack.client(), pack.start()];
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
    client: client && {
      package: client.package,
      begin: client.begin,
      object: client.object,
      options: Object.fromEntries(client.options),
    },
    start: start && {
      languages: start.languages.map((each) => ({ ...each })),
      collections: [...start.collections],
      tries: start.tries.map((each) => ({ ...each })),
    },
    resources: pack.resources.map((resource) => resourceView(resource, pack)),
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
  { def, operations, pins, branches, events, message }: ResourceProgram,
  { client, model }: Program,
): JsonObject {
  const graph = machineGraph(def);
  return {
    name: def.name,
    collection: def.collection,
    title: def.title,
    singleton: def.singleton,
    status: def.status,
    order: def.file.order ?? null,
    fields: described(fieldsView(def.schema.fields), (name) => descriptionOf(def.file.fields?.[name])),
    machine: graph && machineView(def, graph),
    operations: [...operations.values()].map((operation) => operationView(operation, client(), model)),
    events: [...events.keys()],
    event_descriptions: Object.fromEntries(
      [...events.values()].map(({ name, file }) => [name, file.description ?? '']),
    ),
    pins: pins.map((pin) => pinView(pin)),
    branches: [...branches],
    message: message !== null,
  };
}

/** The graph of a resource's machine; null if it has none. */
export function machineGraph({ file, machine }: ResourceDef): MachineGraph | null {
  return machine && file.machine ? graphOf(file.machine) : null;
}

function machineView({ machine, file }: ResourceDef, { states, arrows }: MachineGraph): JsonObject {
  return {
    initial: machine?.initial ?? null,
    states: states.map(({ name, isFinal, inside }) => ({
      name,
      description: file.machine?.states[name]?.description ?? '',
      final: isFinal,
      inside: [...inside],
    })),
    transitions: arrows.map(({ from, to, triggers, timers, always }) => ({
      from,
      to,
      triggers: [...triggers],
      timers: [...timers],
      always,
    })),
  };
}

function operationView(operation: Operation, client: VendorClient | null, model: Model): JsonObject {
  const { key, kind, routes, params, status } = operation;
  const { method = '', path = '' } = routes.at(0) ?? {};
  const named = new Set(routes.at(0)?.names);
  return {
    operation: key,
    title: operationTitle(operation),
    description: fileOf(operation)?.description ?? '',
    kind,
    method,
    path,
    status,
    ...(client ? { client: client.calls.get(key) ?? null } : {}),
    params: described(fieldsView(new Map([...params()].filter(([name]) => !named.has(name))), 1), (name) =>
      parameterDescription(operation, name, model),
    ),
    rules: ruleTexts(operation).map((rule) => ({ ...rule })),
  };
}

/** Types by name, with the pack's descriptions. */
function described(types: JsonObject, textOf: (name: string) => string | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const description = textOf(name);
      return [name, isObject(type) && description !== undefined ? { ...type, description } : type];
    }),
  );
}

function descriptionOf(file: Json | undefined): string | undefined {
  const description = isObject(file) ? file['description'] : undefined;
  return typeof description === 'string' ? description : undefined;
}

function pinView({ path, schema, members, moments, description }: PinPath): JsonObject {
  return { path, members, at: [...moments], description, value: schemaView(schema()) };
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

/** Levels of members that are shown. */
const DEPTH = 2;

/** A declared type for forms and readers: `{type, nullable?, required?, default?, values?, refs?, fields?, ...}`. */
function schemaView(schema: Schema, depth = DEPTH): JsonObject {
  const { min, max, max_length, decimals } = rulesOf(schema);
  return {
    type: schema.kind === 'ref' ? 'reference' : schema.kind,
    ...(schema.nullable ? { nullable: true } : {}),
    ...(schema.required ? { required: true } : {}),
    ...(schema.default === undefined ? {} : { default: schema.default }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(max_length === undefined ? {} : { max_length }),
    ...(decimals === undefined ? {} : { decimals }),
    ...insideOf(schema, depth),
  };
}

function insideOf(schema: Schema, depth: number): JsonObject {
  switch (schema.kind) {
    case 'enum':
      return { values: schema.values };
    case 'ref':
      return { refs: schema.refs };
    case 'const':
      return { constant: schema.constant };
    case 'array':
      return depth > 0 ? { items: schemaView(schema.items, depth - 1) } : {};
    case 'map':
      return depth > 0 && schema.of !== undefined ? { of: schemaView(schema.of, depth - 1) } : {};
    case 'object':
      return depth > 0 ? { fields: fieldsView(schema.fields, depth - 1) } : {};
    case 'one_of':
      return depth > 0 ? { options: schema.options.map((option) => schemaView(option, depth - 1)) } : {};
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'timestamp':
    case 'any':
    case 'json_schema':
      return {};
  }
}

/** Fields or parameters by name, without those that the pack hides. */
function fieldsView(fields: ReadonlyMap<string, Schema>, depth = DEPTH): JsonObject {
  const shown = [...fields].filter(([, schema]) => !schema.hidden);
  return Object.fromEntries(shown.map(([name, schema]) => [name, schemaView(schema, depth)]));
}
