import { median } from './requests.js';
import { startMeasuredServer, type ServerKind } from './servers.js';

/** How a server starts: medians. */
export interface BootRow {
  readonly server: ServerKind | 'payments before';
  /** From spawning the process to its first response. */
  readonly firstResponseMs: number;
  /** Processor time until then. */
  readonly cpuMs: number;
  readonly memoryMiB: number;
}

const SERVERS = ['node', 'express', 'payments', 'task-automation'] as const;

/** Starts each server in turn, several times. @param before the server of another build */
export async function measureBoot(repeat: number, say: (text: string) => void, before?: string): Promise<BootRow[]> {
  const servers: readonly BootRow['server'][] = [
    ...SERVERS,
    ...(before === undefined ? [] : ['payments before' as const]),
  ];
  const found = new Map(servers.map((server) => [server, { ms: [] as number[], cpu: [] as number[], memory: 0 }]));
  // The first round fills the cache of packs.
  for (let i = 0; i <= repeat; i++) {
    for (const [server, row] of found) {
      const served =
        server === 'payments before'
          ? await startMeasuredServer('payments', before)
          : await startMeasuredServer(server);
      if (i > 0) {
        row.ms.push(served.startMs);
        row.cpu.push((await served.cpu()) / 1000);
      }
      row.memory = await served.memoryBytes();
      await served.stop();
    }
  }
  return [...found].map(([server, { ms, cpu, memory }]) => {
    const firstResponseMs = Math.round(median(ms));
    say(`${server}: first answer after ${firstResponseMs} ms`);
    return { server, firstResponseMs, cpuMs: Math.round(median(cpu)), memoryMiB: Math.round(memory / 2 ** 20) };
  });
}
