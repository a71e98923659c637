/**
 * `node dist/tools/develop/uploads/main.js [--bytes 100000000] [--rounds 5] [--heap 256] [--store memory|file]`: uploads files of real size
 * to the packs that take them, each served with a small heap, and downloads them again. It fails if the server ends or
 * returns other bytes; with a store also after a kill.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UPLOAD_PACKS, type UploadResult, uploads, type UploadServer } from './uploads.js';

const { values } = parseArgs({
  options: {
    bytes: { type: 'string', default: '100000000' },
    rounds: { type: 'string', default: '5' },
    heap: { type: 'string', default: '256' },
    store: { type: 'string', default: 'memory' },
  },
});
const cli = fileURLToPath(new URL('../../../app/cli.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sandbox-uploads-'));

/** The most memory that a process has had; null: this system doesn't say. */
function peakOf(pid: number | undefined): string | null {
  try {
    return /VmHWM:\s*(.*)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

interface Served {
  readonly child: ChildProcess;
  readonly server: UploadServer;
}

async function serve(pack: string, port = '0'): Promise<Served> {
  const kept = values.store === 'file' ? ['--store', join(folder, `${pack}.db`)] : [];
  const options = ['--port', port, '--json', '--log', 'none', ...kept];
  const child = spawn(process.execPath, [`--max-old-space-size=${values.heap}`, cli, 'serve', pack, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.on('exit', (code, signal) => {
    if (signal === 'SIGKILL' || code === 0) return;
    console.log(`${pack}: the server ended (${code ?? signal})`);
    process.exit(1);
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as string[];
  return { child, server: JSON.parse(line) as UploadServer };
}

function report(what: string, isSame: boolean, more: string): void {
  console.log(`${what}: ${isSame ? 'same bytes' : 'OTHER BYTES'}${more}`);
  if (!isSame) process.exitCode = 1;
}

for (const pack of UPLOAD_PACKS) {
  const { child, server } = await serve(pack);
  const results: UploadResult[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    for await (const result of uploads(pack, server, Number(values.bytes), round)) {
      results.push(result);
      report(`${pack} ${result.what}`, result.isSame, `, ${result.status}, ${result.ms} ms`);
    }
  }
  console.log(`${pack}: at most ${peakOf(child.pid) ?? 'unknown'} of memory`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  if (values.store !== 'file') continue;
  const next = await serve(pack, new URL(server.url).port);
  for (const { what, again } of results) report(`${pack} ${what} after a kill`, await again(), '');
  next.child.kill('SIGKILL');
}
rmSync(folder, { recursive: true, force: true });
