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
  readonly tools: readonly ToolAlias[];
}

/** Tools that an agent asks for together. */
interface Toolset {
  readonly description: string;
  /** Operations whose generated tools belong to it. */
  readonly operations: ReadonlySet<Operation>;
}

/** A tool of the vendor's own server, over an operation. */
export interface ToolAlias {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly toolset: string;
  readonly operation: Operation;
  readonly params: ReadonlyMap<string, ToolAliasParameter>;
  /** Parameters of the operation that every call of the tool has. */
  readonly fixed: JsonObject;
  /** JMESPath over a response that succeeded; null: all of it is returned. */
  readonly show: string | null;
  readonly hints: JsonObject;
}

/** An argument of such a tool. */
export interface ToolAliasParameter {
  /** Where its value goes among the parameters of the operation: names and numbers of items. */
  readonly path: readonly (string | number)[];
  /** What is there, with `${it}` for the value; null: the value. */
  readonly template: Json;
  /** Whether the operation takes text as base64. */
  readonly base64: boolean;
  /** What the tool says of it instead of the operation. */
  readonly schema: JsonObject;
  readonly optional: boolean;
}
