import type { Json, JsonObject } from '../values/index.js';
import type { Operation } from './operation.js';

/** The MCP server of the vendor, compiled from mcp.yaml. */
export interface McpPlan {
  readonly name: string;
  readonly title: string;
  /** Host names of the vendor's MCP server, in lower case: at these, `path` serves the MCP endpoint too. */
  readonly hosts: ReadonlySet<string>;
  readonly path: string;
  /** The API version in which tools call operations; null: the account's. */
  readonly version: string | null;
  /** Names of the toolsets of agents that request none; empty: all toolsets. */
  readonly defaults: readonly string[];
  /** Current names of tools, by their earlier names. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly toolsets: ReadonlyMap<string, Toolset>;
  readonly tools: readonly ServerTool[];
  readonly discover: DiscoverPlan;
  /** Arguments that tools require, by name; each has only one valid value. */
  readonly context: ReadonlyMap<string, ContextArgument>;
}

/** A named set of tools that agents request together. */
interface Toolset {
  readonly description: string;
  /** Operations whose generated tools belong to the toolset. */
  readonly operations: ReadonlySet<Operation>;
  /** The API version in which the toolset's tools call operations; null: that of the other tools. */
  readonly version: string | null;
}

/** Settings that every kind of tool in mcp.yaml has. */
interface ServerToolHead {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly toolset: string;
  readonly hints: JsonObject;
  /** Whether the tool requires the arguments of `context`. */
  readonly inContext: boolean;
}

/** A tool of mcp.yaml, of any kind. */
export type ServerTool = ToolAlias | ChoiceTool | OwnTool;

/** A tool of the vendor's server that calls one operation. */
export interface ToolAlias extends ServerToolHead {
  readonly kind: 'operation';
  readonly operation: Operation;
  readonly params: ReadonlyMap<string, ToolAliasParameter>;
  /** Parameters of the operation that have a fixed value. */
  readonly fixed: JsonObject;
  /** Preliminary calls before the operation's, in order. */
  readonly first: readonly ToolStep[];
  /** JMESPath expressions, over `args` and the responses of `first`, for parameters of the operation, by name. */
  readonly from: ReadonlyMap<string, string>;
  /** Arguments that aren't parameters of the operation; only `first` and `from` read them. */
  readonly others: ReadonlyMap<string, ToolArgument>;
  /** Headers with which the tool calls the operation. */
  readonly headers: Readonly<Record<string, string>>;
  /** JMESPath over a successful response, for the tool's result; null: the whole response. */
  readonly show: string | null;
  /** Names of members that are removed from responses if their value is empty. */
  readonly omitted: ReadonlySet<string>;
}

/** A call that a tool makes before its operation, for values that later calls need. */
export interface ToolStep {
  /** The name under which later expressions read the response. */
  readonly as: string;
  readonly operation: Operation;
  /** JMESPath expressions, over `args` and earlier responses, for parameters of the call, by name. */
  readonly with: ReadonlyMap<string, string>;
}

/** An argument of a tool that calls one operation, with the argument's path in the operation's parameters. */
export interface ToolAliasParameter extends ToolArgument {
  /** The path of the argument's value in the operation's parameters: names and list indexes. */
  readonly path: readonly (string | number)[];
  /** The value to send, in which `${it}` is the argument; null: the argument itself. */
  readonly template: Json;
  /** Whether the operation takes the argument's text as base64. */
  readonly base64: boolean;
}

/** An argument in the tool's input schema. */
export interface ToolArgument {
  /** The JSON Schema of the argument, in place of the operation's. */
  readonly schema: JsonObject;
  readonly optional: boolean;
}

/** A tool that calls one of several others, selected by an argument. */
export interface ChoiceTool extends ServerToolHead {
  readonly kind: 'choice';
  readonly by: string;
  readonly cases: ReadonlyMap<string, ToolAlias>;
  readonly params: ReadonlyMap<string, ToolArgument>;
}

/** Kinds of tools that aren't bound to one operation. */
export type OwnKind = 'search' | 'details' | 'read' | 'write' | 'documents' | 'query' | 'constant';

/** A tool that searches, describes or calls operations by id, searches documents, queries objects, or returns a constant. */
export interface OwnTool extends ServerToolHead {
  readonly kind: 'own';
  readonly does: OwnKind;
  /** The tool's arguments, each with its role. */
  readonly params: ReadonlyMap<string, OwnArgument>;
  /** JMESPath over the tool's result; null: the whole result. */
  readonly show: string | null;
  /** The fixed result of a tool of the kind `constant`. */
  readonly constant: Json;
}

/** An argument of a tool that isn't bound to one operation. */
export interface OwnArgument extends ToolArgument {
  readonly to: string;
  /** Replacements for values of the argument; values without one stay unchanged. */
  readonly values: Readonly<Record<string, string>>;
}

/** Settings of the tools that find operations and call them by id. */
export interface DiscoverPlan {
  /** The operations that the server offers, by the vendor's ids; null: all operations, each by its tool's name. */
  readonly operations: ReadonlyMap<string, DiscoverOperation> | null;
  /** JMESPath over an error's body, for the message; null: the agent gets the whole body. */
  readonly message: string | null;
  readonly failed: string;
  readonly unknown: string;
  readonly missing: string;
  /** Whether the last parameter in a path is called `id`, and earlier ones `NAME_id`. */
  readonly byId: boolean;
  /** Whether tools that write require a confirmation first. */
  readonly confirm: boolean;
}

/** An operation that agents find and call by an id of the vendor's server. */
export interface DiscoverOperation {
  /** The operation with the vendor's id; null: the pack doesn't have the operation. */
  readonly operation: Operation | null;
  /** Method and path at the vendor, for an operation that the pack doesn't have; null otherwise. */
  readonly call: string | null;
  readonly title: string | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly permissions: readonly string[];
  readonly rejects: string | null;
  /** The fixed result for an operation that the pack doesn't have; null: none. */
  readonly returns: Json;
}

/** An argument that tools require, its only valid value, and the error for another value. */
export interface ContextArgument extends ToolArgument {
  readonly is: Json;
  readonly otherwise: string;
}

/** The discovery settings of packs whose mcp.yaml has no `discover`. */
export const PLAIN_DISCOVERY: DiscoverPlan = {
  operations: null,
  message: null,
  failed: '${message}',
  unknown: "there is no operation '${id}'",
  missing: 'missing ${place} parameters: ${names}',
  byId: false,
  confirm: false,
};
