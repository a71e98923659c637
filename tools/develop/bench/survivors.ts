import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A V8 heap snapshot: flat lists of numbers, and the texts that they refer to. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/** The objects that each call leaves in memory. */
export interface Survivors {
  /** Number of heap objects of all kinds. */
  readonly objects: number;
  readonly bytes: number;
  /** Remaining objects by kind of heap object, most frequent first. The kind of plain objects and arrays is their first members. */
  readonly kinds: readonly { readonly kind: string; readonly objects: number; readonly bytes: number }[];
}

/** Heap node types that aren't counted: code, and V8's own bookkeeping. */
const NOT_COUNTED = new Set(['code', 'hidden', 'object shape', 'synthetic']);

/** Number of members whose names identify an object's kind. */
const SHOWN_MEMBERS = 6;

/**
 * Counts the heap objects that calls leave.
 * @param calls makes the calls; warm caches before
 * @param count number of calls
 */
export async function survivorsOf(calls: () => Promise<void>, count: number): Promise<Survivors> {
  // Keeps only the ids of the first snapshot, because other data would be counted in the second one.
  const ids = Uint32Array.from(nodesOf(await heapOf()), ({ id }) => id);
  await calls();
  const after = await heapOf();
  const known = new Set(ids);
  const kinds = new Map<string, { objects: number; bytes: number }>();
  let objects = 0;
  let bytes = 0;
  for (const { id, size, kind } of nodesOf(after)) {
    if (known.has(id)) continue;
    objects++;
    bytes += size;
    const of = kinds.get(kind) ?? { objects: 0, bytes: 0 };
    kinds.set(kind, { objects: of.objects + 1, bytes: of.bytes + size });
  }
  const each = (value: number): number => Math.round((value * 10) / count) / 10;
  return {
    objects: each(objects),
    bytes: Math.round(bytes / count),
    kinds: [...kinds]
      .map(([kind, of]) => ({ kind, objects: each(of.objects), bytes: Math.round(of.bytes / count) }))
      .filter((of) => of.objects > 0)
      .sort((a, b) => b.objects - a.objects),
  };
}

async function heapOf(): Promise<Snapshot> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-heap-'));
  try {
    // Waits because Node releases closed resources with a delay.
    await new Promise((resolve) => setTimeout(resolve, 200));
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
    // Collects young objects as in a running process, where they are moved twice, which flattens concatenated strings.
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    collect();
    return JSON.parse(readFileSync(writeHeapSnapshot(join(folder, 'heap.heapsnapshot')), 'utf8')) as Snapshot;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface HeapNode {
  readonly id: number;
  readonly size: number;
  readonly kind: string;
}

/** Returns all objects of a snapshot with their kinds, except code and V8's own bookkeeping. */
function nodesOf({ snapshot: { meta }, nodes, edges, strings }: Snapshot): HeapNode[] {
  const [nodeTypes] = meta.node_types;
  const [edgeTypes] = meta.edge_types;
  const at = Object.fromEntries(meta.node_fields.map((name, index) => [name, index]));
  const edgeAt = Object.fromEntries(meta.edge_fields.map((name, index) => [name, index]));
  const found: HeapNode[] = [];
  let edge = 0;
  for (let node = 0; node < nodes.length; node += meta.node_fields.length) {
    const type = nodeTypes[nodes[node + at['type']]];
    const name = strings[nodes[node + at['name']]];
    const members: string[] = [];
    for (let left = nodes[node + at['edge_count']]; left > 0; left--, edge += meta.edge_fields.length) {
      if (edgeTypes[edges[edge + edgeAt['type']]] !== 'property' || members.length >= SHOWN_MEMBERS) continue;
      const member = strings[edges[edge + edgeAt['name_or_index']]];
      if (member !== '__proto__') members.push(member);
    }
    if (NOT_COUNTED.has(type) || (type === 'native' && name.startsWith('Node / '))) continue;
    const kind = type === 'object' ? `${name} {${members.join()}}` : type === 'array' ? `array ${name}` : type;
    found.push({ id: nodes[node + at['id']], size: nodes[node + at['self_size']], kind });
  }
  return found;
}
