import { readInputFile } from './input-file.js';
import { Exit, Failure } from './output.js';
import type { VendorCall } from '../reference/index.js';
import { isRecord } from '../../engine/values/index.js';

/** Reads a list of a vendor's calls: YAML of groups, each a list of `name: METHOD /path`. @throws Failure if it can't be read or is malformed */
export async function readVendorCalls(file: string): Promise<VendorCall[]> {
  const { parse } = await import('yaml');
  const wrong = (reason: string) => new Failure(Exit.wrongInput, 'calls_file', `${file} ${reason}`);
  const content = readInputFile(file, 'calls_file');
  let data: unknown;
  try {
    data = parse(content);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'cannot be read');
  }
  const calls = Object.entries(isRecord(data) ? data : {}).flatMap(([group, list]) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) =>
      Object.entries(isRecord(entry) ? entry : {}).map(([name, text]) => {
        const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(String(text)) ?? [];
        if (method === undefined) throw wrong(`has '${String(text)}' where METHOD /path is wanted`);
        return { group, name, method, path };
      }),
    ),
  );
  if (calls.length === 0) throw wrong('lists no calls: groups of `name: METHOD /path`');
  return calls;
}
