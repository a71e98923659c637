/**
 * `node dist/tools/develop/uploads/main.js [--bytes 100000000] [--rounds 5] [--heap 256] [--store memory|file]`: uploads large files to the packs
 * that accept them, each served with a small heap, and downloads them again; with a store also after a kill. Fails if the server ends or returns
 * other bytes.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../command/options.js';
import { serveBuild, type ServedBuild } from '../kit/served.js';
import { UPLOAD_PACKS, type UploadResult, uploads } from './uploads.js';

const values = new Command('uploads')
  .option('--bytes <n>', 'size of each file', wholeNumber, 100_000_000)
  .option('--rounds <n>', 'uploads of each kind', wholeNumber, 5)
  .option('--heap, --heap-mb <n>', 'heap of the server in megabytes', wholeNumber, 256)
  .addOption(new Option('--store <kind>').choices(['memory', 'file']).default('memory'))
  .parse()
  .opts<{ bytes: number; rounds: number; heapMb: number; store: string }>();
const folder = mkdtempSync(join(tmpdir(), 'sandbox-uploads-'));

/** Reads the peak memory of a process, with unit; null if the system doesn't report it. */
function peakOf(pid: number | undefined): string | null {
  try {
    return /VmHWM:\s*(.*)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

async function served(pack: string, port = '0'): Promise<ServedBuild> {
  const kept = values.store === 'file' ? ['--store', join(folder, `${pack}.db`)] : [];
  const server = await serveBuild([pack, '--port', port, '--log', 'none', ...kept], { heapMb: values.heapMb });
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
  for (let round = 0; round < values.rounds; round++) {
    for await (const result of uploads(pack, server, values.bytes, round)) {
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
