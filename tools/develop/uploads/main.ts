/**
 * `node dist/tools/develop/uploads/main.js [--bytes 100000000] [--rounds 5] [--heap 256] [--store memory|file]`: uploads files of real size
 * to the packs that take them, each served with a small heap, and downloads them again. It fails if the server ends or
 * returns other bytes; with a store also after a kill.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serveBuild, type ServedBuild } from '../kit/served.js';
import { UPLOAD_PACKS, type UploadResult, uploads } from './uploads.js';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '100000000' },
    rounds: { type: 'string', default: '5' },
    heap: { type: 'string', default: '256' },
    store: { type: 'string', default: 'memory' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'sandbox-uploads-'));

/** The most memory that a process has had; null: this system doesn't say. */
function peakOf(pid: number | undefined): string | null {
  try {
    return /VmHWM:\s*(.*)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

async function served(pack: string, port = '0'): Promise<ServedBuild> {
  const kept = values.store === 'file' ? ['--store', join(folder, `${pack}.db`)] : [];
  const server = await serveBuild([pack, '--port', port, '--log', 'none', ...kept], { heapMb: Number(values.heap) });
  server.child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL' || code === 0) return;
    console.log(`${pack}: the server ended (${code ?? signal})`);
    process.exit(1);
  });
  return server;
}

function report(what: string, isSame: boolean, more: string): void {
  console.log(`${what}: ${isSame ? 'same bytes' : 'OTHER BYTES'}${more}`);
  if (!isSame) process.exitCode = 1;
}

for (const pack of UPLOAD_PACKS) {
  const server = await served(pack);
  const results: UploadResult[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    for await (const result of uploads(pack, server, Number(values.bytes), round)) {
      results.push(result);
      report(`${pack} ${result.what}`, result.isSame, `, ${result.status}, ${result.ms} ms`);
    }
  }
  console.log(`${pack}: at most ${peakOf(server.child.pid) ?? 'unknown'} of memory`);
  await server.stop('SIGKILL');
  if (values.store !== 'file') continue;
  const next = await served(pack, new URL(server.url).port);
  for (const { what, again } of results) report(`${pack} ${what} after a kill`, await again(), '');
  await next.stop('SIGKILL');
}
rmSync(folder, { recursive: true, force: true });
