import type { Json, JsonObject } from '../values/index.js';
import type { Operation } from './operation.js';

/** The vendor's own MCP server, as mcp.yaml describes it. */
export interface McpPlan {
  readonly name: string;
  readonly title: string;
  /** Names of its machines, in lower case: at these, `path` is the endpoint too. */
  readonly hosts: ReadonlySet<string>;
  readonly path: string;
  /** The version of the API that its tools speak; null: the account's. */
  readonly version: string | null;
  /** Toolsets of an agent that asks for none; empty: all of them. */
  readonly defaults: readonly string[];
  /** Names that tools had before. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly toolsets: ReadonlyMap<string, Toolset>;
  readonly tools: readonly ServerTool[];
  readonly discover: DiscoverPlan;
  /** Arguments that tools require, with the only value that each may have. */
  readonly context: ReadonlyMap<string, ContextArgument>;
}

/** Tools that an agent asks for together. */
interface Toolset {
  readonly description: string;
  /** Operations whose generated tools belong to it. */
  readonly operations: ReadonlySet<Operation>;
  /** The version of the API that its tools speak; null: as the others. */
  readonly version: string | null;
}

/** What every tool of mcp.yaml has. */
interface ServerToolHead {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly toolset: string;
  readonly hints: JsonObject;
  /** Whether it requires the arguments of the context. */
  readonly inContext: boolean;
}

/** A tool of mcp.yaml. */
export type ServerTool = ToolAlias | ChoiceTool | OwnTool;

/** A tool of the vendor's own server, over an operation. */
export interface ToolAlias extends ServerToolHead {
  readonly kind: 'operation';
  readonly operation: Operation;
  readonly params: ReadonlyMap<string, ToolAliasParameter>;
  /** Parameters of the operation that every call of the tool has. */
  readonly fixed: JsonObject;
  /** JMESPath over a response that succeeded; null: all of it is returned. */
  readonly show: string | null;
  /** Members that a response lacks where they are empty. */
  readonly omitted: ReadonlySet<string>;
}

/** An argument of such a tool. */
export interface ToolAliasParameter extends ToolArgument {
  /** Where its value goes among the parameters of the operation: names and numbers of items. */
  readonly path: readonly (string | number)[];
  /** What is there, with `${it}` for the value; null: the value. */
  readonly template: Json;
  /** Whether the operation takes text as base64. */
  readonly base64: boolean;
}

/** An argument as the agent sees it. */
export interface ToolArgument {
  /** What the tool says of it instead of the operation. */
  readonly schema: JsonObject;
  readonly optional: boolean;
}

/** A tool that is one of several, as an argument says. */
export interface ChoiceTool extends ServerToolHead {
  readonly kind: 'choice';
  readonly by: string;
  readonly cases: ReadonlyMap<string, ToolAlias>;
  readonly params: ReadonlyMap<string, ToolArgument>;
}

/** What a tool does that is not over one operation. */
export type OwnKind = 'search' | 'details' | 'read' | 'write' | 'documents' | 'query' | 'constant';

/** A tool that is not over one operation. */
export interface OwnTool extends ServerToolHead {
  readonly kind: 'own';
  readonly does: OwnKind;
  /** Its arguments, with what each is for. */
  readonly params: ReadonlyMap<string, OwnArgument>;
  /** JMESPath over what it found; null: all of it is returned. */
  readonly show: string | null;
  /** What it returns if it does nothing else. */
  readonly constant: Json;
}

/** An argument of such a tool. */
export interface OwnArgument extends ToolArgument {
  readonly to: string;
  /** What its values mean; those that are not here mean themselves. */
  readonly values: Readonly<Record<string, string>>;
}

/** How agents find and call operations by ids. */
export interface DiscoverPlan {
  /** Null: every operation by the name of its tool. */
  readonly operations: ReadonlyMap<string, DiscoverOperation> | null;
  /** JMESPath over an error; null: all of it is the message. */
  readonly message: string | null;
  readonly failed: string;
  readonly unknown: string;
  readonly missing: string;
  /** The last parameter of a path is called `id`, and those before it `NAME_id`. */
  readonly byId: boolean;
  /** Tools that write ask for a confirmation first. */
  readonly confirm: boolean;
}

/** An operation by its id. */
export interface DiscoverOperation {
  /** Null: the pack lacks it. */
  readonly operation: Operation | null;
  /** Method and path at the vendor, of one that the pack lacks. */
  readonly call: string | null;
  readonly title: string | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly permissions: readonly string[];
  readonly rejects: string | null;
  /** What a call of one that the pack lacks returns; null: nothing. */
  readonly returns: Json;
}

/** An argument that tools require. */
export interface ContextArgument extends ToolArgument {
  readonly is: Json;
  readonly otherwise: string;
}

/** How operations are called by ids where mcp.yaml says nothing of it. */
export const PLAIN_DISCOVERY: DiscoverPlan = {
  operations: null,
  message: null,
  failed: '${message}',
  unknown: "there is no operation '${id}'",
  missing: 'missing ${place} parameters: ${names}',
  byId: false,
  confirm: false,
};
