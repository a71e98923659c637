import type { Json, JsonObject } from '../../engine/values/index.js';
import { envOfWorld, variableOf } from '../command/world-env.js';
import type { Prepared } from './prepared.js';
import { ONLY, type TaskWorld } from './task-world.js';

/** The addresses and keys that an agent gets: of the world, of its packs if there are several, and of their MCP servers. */
export interface Addresses {
  readonly url: string;
  readonly key: string;
  readonly mcp_url?: string;
  readonly vendors?: Readonly<Record<string, { readonly url: string; readonly key: string; readonly mcp_url: string }>>;
}

export function addressesOf({ read: { task } }: Prepared, { url, key, vendors }: TaskWorld): Addresses {
  const { tools = {} } = task;
  const [[name, { url: first }]] = vendors;
  if (name === ONLY) return { url, key, mcp_url: mcpAddress(first, tools) };
  const own = [...vendors].map(([vendor, each]) => {
    const mcp_url = mcpAddress(each.url, (Array.isArray(tools) ? undefined : (tools as JsonObject)[vendor]) ?? {});
    return [vendor, { url: each.url, key: each.key, mcp_url }] as const;
  });
  return { url, key, vendors: Object.fromEntries(own) };
}

/** @param tools query parameters of the address; a list contains toolsets */
function mcpAddress(url: string, tools: Json): string {
  const chosen = Array.isArray(tools) ? { toolsets: tools as readonly Json[] } : (tools as JsonObject);
  const query = new URLSearchParams(
    Object.entries(chosen).map(([name, value]): [string, string] => [name, shownParameter(value)]),
  );
  return `${url}/mcp${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** Environment variables that pass these addresses to an agent's command. */
export function agentEnvironment(place: Addresses): Record<string, string> {
  const tools = Object.entries(place.vendors ?? {}).map(([name, each]) => [variableOf(name, 'MCP_URL'), each.mcp_url]);
  return {
    ...envOfWorld(place),
    SANDBOX_API_KEY: place.key,
    ...(place.mcp_url === undefined ? {} : { [variableOf(undefined, 'MCP_URL')]: place.mcp_url }),
    ...(Object.fromEntries(tools) as Record<string, string>),
  };
}

function shownParameter(value: Json): string {
  return Array.isArray(value) ? value.join(',') : value === true ? '1' : String(value);
}
