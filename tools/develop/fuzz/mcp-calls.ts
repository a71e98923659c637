import { catalogueOf, isOfOperation, type Tool } from '../../../engine/mcp/index.js';
import type { Program } from '../../../engine/program/index.js';
import type { Json, JsonObject } from '../../../engine/values/index.js';
import type { Dice } from '../simulate/dice.js';
import { encode } from '../simulate/form.js';
import { http, type HttpCall, withQuery } from './call.js';
import { odd, TEXTS } from './oddities.js';
import type { ParameterValues } from './values.js';

const METHODS = ['initialize', 'server/discover', 'ping', 'tools/list', 'notifications/initialized', 'resources/read'];
const REVISIONS = ['2024-11-05', '2025-11-25', '2026-07-28', 'x', ''];
const FILTER = { toolsets: null, tools: [], readOnly: false, output: false, depth: null };

/** Generates messages to a pack's Model Context Protocol endpoint, valid and invalid ones. */
export class McpCalls {
  constructor(
    private readonly program: Program,
    private readonly dice: Dice,
    private readonly values: ParameterValues,
  ) {}

  next(): HttpCall {
    const { dice } = this;
    const { mcp } = this.program;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (dice.chance(30)) headers['mcp-protocol-version'] = dice.one(REVISIONS);
    const [host] = mcp?.hosts ?? [];
    const isOwn = mcp !== null && host !== undefined && dice.chance(20);
    if (isOwn) headers['host'] = host;
    const message = this.#message();
    const body = JSON.stringify(dice.chance(5) ? [message, message] : message);
    return http('POST', withQuery(isOwn ? mcp.path : '/mcp', this.#query()), headers, body);
  }

  /** Generates a JSON-RPC message; sometimes with an invalid member. */
  #message(): Json {
    const { dice } = this;
    const isCall = dice.chance(65);
    const message: Record<string, Json> = {
      jsonrpc: '2.0',
      id: dice.below(9),
      method: isCall ? 'tools/call' : dice.one(METHODS),
      params: isCall ? this.#toolCall() : { protocolVersion: dice.one(REVISIONS), _meta: this.#meta() },
    };
    if (!dice.chance(20)) return message;
    const member = dice.one([...Object.keys(message), 'result', 'error']);
    return { ...message, [member]: odd(dice) };
  }

  #toolCall(): JsonObject {
    const { dice } = this;
    const tools = [
      ...catalogueOf(this.program)
        .select({ ...FILTER, toolsets: ['all', 'discover'] })
        .tools.values(),
    ];
    const tool = dice.one(tools);
    return {
      name: dice.chance(95) ? tool.name : dice.one(TEXTS),
      arguments: dice.chance(92) ? this.#arguments(tool) : odd(dice),
      ...(dice.chance(20) ? { _meta: this.#meta() } : {}),
    };
  }

  #arguments(tool: Tool): Json {
    if (isOfOperation(tool)) return this.values.params(tool.operation.params(), []);
    const { inputSchema } = tool.definition({ depth: 1, brief: true, output: false });
    const { properties = {} } = inputSchema as { readonly properties?: JsonObject };
    const value = (): Json => (this.dice.chance(70) ? this.dice.one(TEXTS) : odd(this.dice));
    return Object.fromEntries(Object.keys(properties).map((name) => [name, value()]));
  }

  #meta(): Json {
    const { dice } = this;
    return dice.chance(50) ? { 'io.modelcontextprotocol/protocolVersion': dice.one(REVISIONS) } : odd(dice);
  }

  /** Generates query parameters that select tools. */
  #query(): string {
    const { dice, program } = this;
    if (dice.chance(60)) return '';
    const names = ['all', ...program.model.resources.map(({ collection }) => collection), ...TEXTS];
    const given = {
      toolsets: dice.one(names),
      tools: dice.one(names),
      readonly: '1',
      output: '1',
      depth: dice.one(['1', '9', 'x']),
    };
    return Object.entries(given)
      .filter(() => dice.chance(40))
      .map(([name, value]) => `${name}=${encode(value)}`)
      .join('&');
  }
}
