import { stringify } from 'yaml';
import type { JsonObject } from '../../engine/values/index.js';
import { ownVersion } from '../command/installation.js';
import type { ReadTask } from '../eval/read-tasks.js';

/** What an OpenEnv server's documents say about its environment. */
export interface AboutEnvironment {
  /** The name of the environment, such as `payments`. */
  readonly name: string;
  readonly tasks: readonly ReadTask[];
  readonly port: number;
}

/** The version of OpenEnv's HTTP contract. */
const CONTRACT = '1.0.0';
/** The revision of the format of openenv.yaml. */
const SPEC_VERSION = 1;

const text = { type: 'string' } as const;
const object = { type: 'object' } as const;
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
const metadata = { ...object, additionalProperties: true, default: {} };

/** Schemas of `step`'s input, and of the responses. */
export const CONTRACT_SCHEMAS: {
  readonly action: JsonObject;
  readonly observation: JsonObject;
  readonly state: JsonObject;
} = {
  action: {
    title: 'Action',
    oneOf: [
      {
        title: 'CallToolAction',
        ...object,
        properties: {
          type: { const: 'call_tool', default: 'call_tool' },
          tool_name: { ...text, description: 'Name of a tool' },
          arguments: { ...object, default: {}, description: 'Arguments of the tool' },
          metadata,
        },
        required: ['tool_name'],
      },
      {
        title: 'ListToolsAction',
        ...object,
        properties: { type: { const: 'list_tools' }, metadata },
        required: ['type'],
      },
      { title: 'FinishAction', ...object, properties: { type: { const: 'finish' }, metadata }, required: ['type'] },
    ],
  },
  observation: {
    title: 'Observation',
    ...object,
    properties: {
      prompt: { ...text, description: 'Of `reset`: what the agent is asked for' },
      task: text,
      episode_id: text,
      tools: { type: 'array', items: object, description: 'Of `list_tools`' },
      tool_name: { ...text, description: 'Of `call_tool`' },
      result: { ...orNull(object), description: 'What the tool returned: `data`, `content`, `is_error`' },
      error: { ...orNull(object), description: 'Why it could not be called: `error_type`, `message`' },
      metadata,
    },
  },
  state: {
    title: 'State',
    ...object,
    properties: {
      episode_id: orNull(text),
      step_count: { type: 'integer', minimum: 0 },
      task: orNull(text),
      seed: text,
      fixture: orNull(text),
      done: { type: 'boolean' },
      reward: orNull({ type: 'number' }),
      now: { ...orNull(text), description: 'Simulated time' },
      changes: {
        type: 'array',
        items: object,
        description: 'What has changed in the world since the reset, in order: when, by which command, which objects',
      },
    },
    required: ['episode_id', 'step_count'],
  },
};

/** Creates the document at `/openapi.json`. */
export function openapi({ name }: AboutEnvironment): JsonObject {
  const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
  const returns = (description: string, schema: JsonObject): JsonObject => ({
    200: { description, content: json(schema) },
  });
  const observed = {
    ...object,
    properties: {
      observation: CONTRACT_SCHEMAS.observation,
      reward: orNull({ type: 'number' }),
      done: { type: 'boolean' },
    },
    required: ['observation', 'done'],
  };
  const episode = { episode_id: { ...text, maxLength: 255 } };
  const reset = {
    ...object,
    properties: {
      seed: { type: 'integer', minimum: 0 },
      ...episode,
      task: { ...text, description: 'Name of a task' },
      fixture: { ...text, description: 'Name of seed data of the pack' },
      finish_tool: { type: 'boolean', default: true, description: 'Whether the tool `finish` is in the list' },
    },
  };
  const step = { ...object, properties: { action: CONTRACT_SCHEMAS.action, ...episode }, required: ['action'] };
  const post = (summary: string, body: JsonObject, schema: JsonObject): JsonObject => ({
    post: { summary, requestBody: { content: json(body) }, responses: returns(summary, schema) },
  });
  const get = (summary: string, schema: JsonObject): JsonObject => ({
    get: { summary, responses: returns(summary, schema) },
  });
  return {
    openapi: '3.1.0',
    info: { title: name, version: CONTRACT },
    paths: {
      '/reset': post('Begin an episode', reset, observed),
      '/step': post('Call a tool, or end the episode', step, observed),
      '/close': post('Drop the world of an episode', { ...object, properties: episode }, object),
      '/state': get('Where an episode stands, and what has changed', CONTRACT_SCHEMAS.state),
      '/tasks': get('The tasks', { type: 'array', items: object }),
      '/metadata': get('About the environment', object),
      '/health': get('Whether it serves', object),
      '/schema': get('Schemas of actions, observations and states', object),
      '/openenv.yaml': { get: { summary: "The environment's spec file", responses: { 200: { description: 'YAML' } } } },
      '/mcp': post('JSON-RPC: tools/list, tools/call', object, object),
    },
  };
}

/** Creates the response at `/metadata`. */
export function aboutEnvironment({ name, tasks }: AboutEnvironment): JsonObject {
  return {
    name,
    description: `${name}: ${tasks.length} tasks, each in a world of its own`,
    readme_content: null,
    version: ownVersion(),
    author: null,
    documentation_url: null,
  };
}

/** Creates the entries at `/tasks`, from which a trainer builds its data set. */
export function taskList(tasks: readonly ReadTask[]): JsonObject[] {
  return tasks.map(({ task: { task, title, class: kind = 'conformance', level } }) => ({
    task,
    title,
    class: kind,
    level: level ?? null,
  }));
}

/** Formats the text of openenv.yaml. */
export function specFile({ name, port }: AboutEnvironment): string {
  return stringify({
    ...{ spec_version: SPEC_VERSION, name: specName(name), type: 'space', runtime: 'docker' },
    ...{ app: 'sandbox serve --openenv', port },
    ...{ description: `Worlds of ${name}, with tasks`, action: 'CallToolAction', observation: 'CallToolObservation' },
  });
}

/** Converts the name of an environment to OpenEnv's format. */
export function specName(name: string): string {
  return `${name.replace(/[^a-z0-9]+/gi, '_').toLowerCase()}_env`;
}
