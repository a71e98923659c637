import type { Json, JsonObject } from '../values/index.js';
import type { Operation } from './operation.js';

/** The vendor's own MCP server, from mcp.yaml. */
export interface McpPlan {
  readonly name: string;
  readonly title: string;
  /** Host names of the vendor's server for agents, in lower case: at these, `path` leads to the endpoint too. */
  readonly hosts: ReadonlySet<string>;
  readonly path: string;
  /** The API version of its tools; null: the account's. */
  readonly version: string | null;
  /** Toolsets of agents that request none; empty: all. */
  readonly defaults: readonly string[];
  /** Earlier names of tools. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly toolsets: ReadonlyMap<string, Toolset>;
  readonly tools: readonly ServerTool[];
  readonly discover: DiscoverPlan;
  /** Arguments that tools require, each with its only valid value. */
  readonly context: ReadonlyMap<string, ContextArgument>;
}

/** Tools that agents request together. */
interface Toolset {
  readonly description: string;
  /** Operations whose generated tools belong to the toolset. */
  readonly operations: ReadonlySet<Operation>;
  /** The API version of its tools; null: that of the others. */
  readonly version: string | null;
}

/** Settings that all tools of mcp.yaml share. */
interface ServerToolHead {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly toolset: string;
  readonly hints: JsonObject;
  /** Whether the tool requires the arguments of `context`. */
  readonly inContext: boolean;
}

/** A tool of mcp.yaml. */
export type ServerTool = ToolAlias | ChoiceTool | OwnTool;

/** A tool of the vendor's server that calls one operation. */
export interface ToolAlias extends ServerToolHead {
  readonly kind: 'operation';
  readonly operation: Operation;
  readonly params: ReadonlyMap<string, ToolAliasParameter>;
  /** Fixed parameters of the operation. */
  readonly fixed: JsonObject;
  /** Calls before that of the operation. */
  readonly first: readonly ToolStep[];
  /** Parameters of the operation as JMESPath over `args` and the responses of `first`. */
  readonly from: ReadonlyMap<string, string>;
  /** Arguments that only `first` and `from` read. */
  readonly others: ReadonlyMap<string, ToolArgument>;
  /** Headers of the operation's call. */
  readonly headers: Readonly<Record<string, string>>;
  /** JMESPath over a successful response; null: returned whole. */
  readonly show: string | null;
  /** Members that a response lacks where they are empty. */
  readonly omitted: ReadonlySet<string>;
}

/** A call that a tool makes before its own, and whose response gives parameters. */
export interface ToolStep {
  /** The name of its response. */
  readonly as: string;
  readonly operation: Operation;
  /** Parameters of the call, as JMESPath over `args` and the responses of the calls before. */
  readonly with: ReadonlyMap<string, string>;
}

/** An argument of such a tool. */
export interface ToolAliasParameter extends ToolArgument {
  /** The path of its value in the operation's parameters: names and list indexes. */
  readonly path: readonly (string | number)[];
  /** The value there, with `${it}` for the argument; null: the argument. */
  readonly template: Json;
  /** Whether the operation takes text as base64. */
  readonly base64: boolean;
}

/** An argument as the agent sees it. */
export interface ToolArgument {
  /** The tool's schema, which replaces the operation's. */
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

/** Kinds of tools that don't call one operation. */
export type OwnKind = 'search' | 'details' | 'read' | 'write' | 'documents' | 'query' | 'constant';

/** A tool that doesn't call one operation. */
export interface OwnTool extends ServerToolHead {
  readonly kind: 'own';
  readonly does: OwnKind;
  /** The tool's arguments, each with its role. */
  readonly params: ReadonlyMap<string, OwnArgument>;
  /** JMESPath over the result; null: returned whole. */
  readonly show: string | null;
  /** A fixed result. */
  readonly constant: Json;
}

/** An argument of such a tool. */
export interface OwnArgument extends ToolArgument {
  readonly to: string;
  /** Translates values; others stay as they are. */
  readonly values: Readonly<Record<string, string>>;
}

/** How agents find operations and call them by id. */
export interface DiscoverPlan {
  /** The operations that the server offers, by the vendor's ids; null: every operation, by the name of its tool. */
  readonly operations: ReadonlyMap<string, DiscoverOperation> | null;
  /** JMESPath over an error; null: the whole error is the message. */
  readonly message: string | null;
  readonly failed: string;
  readonly unknown: string;
  readonly missing: string;
  /** The last parameter in a path is called `id`, and earlier ones `NAME_id`. */
  readonly byId: boolean;
  /** Tools that write require a confirmation first. */
  readonly confirm: boolean;
}

/** An operation by its id. */
export interface DiscoverOperation {
  /** The operation that an id stands for; null: the pack doesn't have it. */
  readonly operation: Operation | null;
  /** Method and path at the vendor, if the pack doesn't have it. */
  readonly call: string | null;
  readonly title: string | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly permissions: readonly string[];
  readonly rejects: string | null;
  /** The result of a call that the pack doesn't have; null: none. */
  readonly returns: Json;
}

/** An argument that tools require. */
export interface ContextArgument extends ToolArgument {
  readonly is: Json;
  readonly otherwise: string;
}

/** Discovery by default, without `discover` in mcp.yaml. */
export const PLAIN_DISCOVERY: DiscoverPlan = {
  operations: null,
  message: null,
  failed: '${message}',
  unknown: "there is no operation '${id}'",
  missing: 'missing ${place} parameters: ${names}',
  byId: false,
  confirm: false,
};
