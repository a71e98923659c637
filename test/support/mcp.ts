import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

interface TextContent {
  readonly type: string;
  readonly text?: string;
}

/** The result of a tool call: its text, and the parsed JSON. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly structured: unknown;
}

const clients: Client[] = [];

/** Connects the official MCP client to a world. @param query of the endpoint, such as `?readonly=1` */
export async function connect(
  { url, key }: { readonly url: string; readonly key: string },
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit }));
  clients.push(client);
  return client;
}

/** Closes all clients that tests of this file have connected; for `afterEach`. */
export async function disconnectAll(): Promise<void> {
  for (const client of clients.splice(0)) await client.close();
}

export async function toolNames(client: Client): Promise<string[]> {
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name);
}

export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<ToolResult> {
  const { content, isError, _meta, structuredContent } = await client.callTool({ name, arguments: args });
  const { text = '' }: TextContent = content[0];
  const body = (/^\s*\{/.test(text) ? JSON.parse(text) : {}) as ToolResult['body'];
  return { isError: isError === true, text, body, meta: _meta ?? {}, structured: structuredContent };
}
