import { RPC } from '../../engine/mcp/index.js';
import { isObject, type Json, type JsonObject } from '../../engine/values/index.js';
import { decoded } from '../eval/prepared.js';
import type { Addresses } from '../eval/addresses.js';

/** A tool in OpenEnv's format. */
export interface EnvironmentTool extends JsonObject {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** A tool's result in OpenEnv's format. */
interface ToolOutcome {
  readonly result: JsonObject | null;
  readonly error: { readonly error_type: string; readonly message: string } | null;
}

/** Separates the names of a pack and its tool, in a world of several packs. */
const SEPARATOR = '__';

interface Door {
  readonly url: string;
  readonly key: string;
  readonly prefix: string;
}

/** The tools of a world, from all of its packs. */
export class WorldTools {
  readonly #doors: readonly Door[];

  constructor({ key, mcp_url, vendors }: Addresses) {
    this.#doors =
      mcp_url === undefined
        ? Object.entries(vendors ?? {}).map(([name, each]) => ({
            url: each.mcp_url,
            key: each.key,
            prefix: `${name}${SEPARATOR}`,
          }))
        : [{ url: mcp_url, key, prefix: '' }];
  }

  async list(): Promise<EnvironmentTool[]> {
    const all = await Promise.all(
      this.#doors.map(async (door) => {
        const { result = null, error = null } = await this.#ask(door, 'tools/list', {});
        if (error !== null || !isObject(result)) throw new Error(messageOf(error));
        return (result['tools'] as readonly JsonObject[]).map((tool) => ({
          name: `${door.prefix}${String(tool['name'])}`,
          description: String(tool['description'] ?? ''),
          input_schema: tool['inputSchema'] as JsonObject,
        }));
      }),
    );
    return all.flat();
  }

  /** Calls a tool. The vendor's errors are results; only invalid calls are errors. */
  async call(name: string, given: JsonObject): Promise<ToolOutcome> {
    const door = this.#doors.find(({ prefix }) => name.startsWith(prefix));
    if (!door) return failed('tool_not_found', `Unknown tool: ${name}`);
    const params = { name: name.slice(door.prefix.length), arguments: given };
    const { result = null, error = null } = await this.#ask(door, 'tools/call', params);
    if (isObject(result)) return { result: outcomeOf(result), error: null };
    const isUnknown = isObject(error) && error['code'] === RPC.params && /unknown tool|no tool/i.test(messageOf(error));
    return failed(isUnknown ? 'tool_not_found' : 'execution_error', messageOf(error));
  }

  async #ask({ url, key }: Door, method: string, params: JsonObject): Promise<JsonObject> {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    try {
      const body: unknown = JSON.parse(text);
      if (isObject(body) && ('result' in body || isObject(body['error']))) return body;
    } catch {
      // A response that isn't JSON becomes the error message.
    }
    return { error: { message: text } };
  }
}

function failed(error_type: string, message: string): ToolOutcome {
  return { result: null, error: { error_type, message } };
}

function messageOf(error: Json): string {
  return isObject(error) ? String(error['message']) : 'there was no response';
}

/** Converts the result of `tools/call` and adds OpenEnv's members: `data` contains the parsed texts. */
function outcomeOf(result: JsonObject): JsonObject {
  const content = (result['content'] ?? []) as readonly JsonObject[];
  const text = content
    .map((part) => part['text'])
    .filter((part) => typeof part === 'string')
    .join('\n');
  return {
    content,
    structured_content: result['structuredContent'] ?? null,
    meta: null,
    data: text === '' ? '' : decoded(text),
    is_error: result['isError'] ?? false,
  };
}
