/**
 * `node dist/tools/develop/uploads/main.js [--bytes 100000000] [--rounds 5] [--heap 256] [--store memory|file]`: uploads files of real size
 * to the packs that take them, each served with a small heap, and downloads them again. It fails if the server ends, rejects one or
 * returns other bytes.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UPLOAD_PACKS, uploads } from './uploads.js';

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

for (const pack of UPLOAD_PACKS) {
  const kept = values.store === 'file' ? ['--store', join(folder, `${pack}.db`)] : [];
  const args = [
    `--max-old-space-size=${values.heap}`,
    cli,
    'serve',
    pack,
    '--port',
    '0',
    '--json',
    '--log',
    'none',
    ...kept,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.on('exit', (code, signal) => {
    if (signal === 'SIGTERM' || code === 0) return;
    console.log(`${pack}: the server ended (${code ?? signal})`);
    process.exit(1);
  });
  const [line] = (await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value.split('\n') as string[];
  const server = JSON.parse(line) as { url: string; key: string };
  for (let round = 0; round < Number(values.rounds); round++) {
    for await (const result of uploads(pack, server, Number(values.bytes), round)) {
      console.log(
        `${pack} ${result.what}: ${result.status}, ${result.isSame ? 'same bytes' : 'OTHER BYTES'}, ${result.ms} ms`,
      );
      if (!result.isSame) process.exitCode = 1;
    }
  }
  console.log(`${pack}: at most ${peakOf(child.pid) ?? 'unknown'} of memory`);
  child.kill('SIGTERM');
}
rmSync(folder, { recursive: true, force: true });
