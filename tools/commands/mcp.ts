import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Given } from '../control/command.js';
import { callInputSchema, type ControlOperation, readOperations } from '../control/contract.js';
import { callServer, chosen } from '../control/server.js';
import { findPack, ownVersion } from '../command/installation.js';
import { boundedLines } from '../mcp/bounded-lines.js';
import { relayMessages } from '../mcp/relay.js';
import { forAgents, type McpTool, shortResponse, TOOLS } from '../mcp/tools.js';
import { Exit, Failure } from '../command/output.js';
import { stopped } from '../command/stopped.js';

/** The parsed options of `sandbox mcp`. */
export interface McpCommand {
  /** Address of a running server; by default the command starts its own sandbox. */
  readonly url?: string;
  readonly key?: string;
  /** `vendor`: serves tools of the vendor API instead of the control API. */
  readonly as?: 'vendor';
  /** Names of toolsets, separated by commas. */
  readonly toolsets?: string;
  readonly readOnly?: true;
}

/** Address and key of the served world. */
interface At {
  readonly url: string;
  readonly key: string | undefined;
}

const WORLD = { type: 'string', description: 'id or name of a fork (default: the first world)' };

const INSTRUCTIONS =
  "A stateful sandbox of a vendor's API. Point the application under test at the address and key that `about` gives. " +
  'Time passes only when you advance the clock with `advance`; list external events with `next`, trigger one with `fire`. ' +
  'When a call surprises you, pass the id in its header X-Mock-Resolution-Trace to `explain`.';

/** Serves a world to an agent over standard input and output, until the input ends. @throws Failure if it can't start */
export async function mcp(pack: string | undefined, options: McpCommand): Promise<number> {
  const { as, toolsets, readOnly } = options;
  if (as === undefined && (toolsets !== undefined || readOnly))
    throw new Failure(
      Exit.wrongInput,
      'not_the_vendor',
      '--toolsets and --read-only choose tools of the vendor: add --as vendor',
    );
  const { at, close } = await worldOf(pack, options);
  if (as === 'vendor') {
    await relayMessages(at, { toolsets, readOnly });
    await close();
    return Exit.done;
  }
  const operations = readOperations();
  const server = new McpServer({ name: 'sandbox', version: ownVersion() }, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) addTool(server, tool, operations, at);
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const ended = Promise.race([closed, stopped()]);
  const lines = boundedLines((text) => process.stdout.write(text));
  await server.connect(new StdioServerTransport(process.stdin.pipe(lines)));
  await ended;
  await server.close();
  await close();
  return Exit.done;
}

function addTool(server: McpServer, tool: McpTool, operations: ReadonlyMap<string, ControlOperation>, at: At): void {
  const calls = tool.operations.map((id) => {
    const found = operations.get(id);
    if (!found) throw new Error(`the contract has no operation '${id}'`);
    return found;
  });
  const { name, description, reads = false } = tool;
  const config = {
    description,
    inputSchema: fromJsonSchema<Given>(schemaOf(tool)),
    annotations: { readOnlyHint: reads },
  };
  server.registerTool(name, config, async (given) => {
    try {
      return {
        content: [
          { type: 'text' as const, text: JSON.stringify(await responseOf(tool, calls, given, operations, at)) },
        ],
      };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const text = [`${error.code}: ${error.message}`, forAgents(error.details)]
        .filter((line) => line !== '')
        .join('\n');
      return { isError: true, content: [{ type: 'text' as const, text }] };
    }
  });
}

async function responseOf(
  tool: McpTool,
  calls: readonly ControlOperation[],
  { world, ...given }: Given,
  operations: ReadonlyMap<string, ControlOperation>,
  at: At,
): Promise<unknown> {
  const call = chosen(calls, given);
  // Omits defaults for lists if the call is for a single item.
  const usual = Object.entries(tool.unless ?? {}).filter(([name]) => call.values.has(name));
  const there = await placeOf(world, operations, at);
  const response = shortResponse(await callServer(call, { ...Object.fromEntries(usual), ...given }, there));
  return tool.name === 'about' ? { url: there.url, key: there.key, ...(response as object) } : response;
}

async function placeOf(world: unknown, operations: ReadonlyMap<string, ControlOperation>, at: At): Promise<At> {
  const get = operations.get('getWorld');
  if (typeof world !== 'string' || !get) return at;
  const { url, key } = await callServer(get, { id: world }, at);
  return { url: String(url), key: String(key) };
}

/** Creates the input schema of a tool: the parameters of all its calls; required are those that every call requires. */
function schemaOf({ operations }: McpTool): Record<string, unknown> {
  const schemas = operations.map((id) => callInputSchema(id));
  const needed = schemas.map(({ required }) => (Array.isArray(required) ? required.map(String) : []));
  const properties = Object.assign({}, ...schemas.map((each) => each['properties'])) as object;
  return {
    type: 'object',
    properties: { ...properties, world: WORLD },
    required: needed[0].filter((name) => needed.every((names) => names.includes(name))),
  };
}

async function worldOf(
  pack: string | undefined,
  { url, key }: McpCommand,
): Promise<{ readonly at: At; readonly close: () => Promise<void> }> {
  if (url !== undefined && pack === undefined) return { at: { url, key }, close: () => Promise.resolve() };
  const { createSandbox, PackCache } = await import('../../engine/index.js');
  const sandbox = await createSandbox({
    pack: await findPack(pack ?? 'packs/payments'),
    key,
    cache: PackCache.ofInstallation(),
  });
  return { at: { url: sandbox.url, key: sandbox.key }, close: () => sandbox.close(0) };
}
