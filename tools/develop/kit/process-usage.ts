import { readFileSync } from 'node:fs';

/** Milliseconds per tick, the unit of processor times in Linux. */
const TICK_MS = 10;

/** Returns the total processor time of a process in milliseconds; undefined if the system doesn't report it, or the process has ended. */
export function processorMs(pid: number | undefined): number | undefined {
  const stat = fileOf(pid, 'stat');
  // Skips the program's name, which is in parentheses and may contain any character.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the resident memory of a process in bytes; undefined if the system doesn't report it, or the process has ended. */
export function residentBytes(pid: number | undefined): number | undefined {
  const found = /VmRSS:\s+(\d+) kB/.exec(fileOf(pid, 'status') ?? '');
  return found ? Number(found[1]) * 1024 : undefined;
}

function fileOf(pid: number | undefined, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
