import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The kernel's connection tables; Java also uses IPv6 sockets for IPv4 addresses. */
const LISTS = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Whether the other end of a local connection is a process of this user, according to Linux. @returns undefined if unknown */
export function isOwnProcess({ remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>): boolean | undefined {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return undefined;
  const ends = new RegExp(
    `^ *\\d+: [0-9A-F]+:${hex(remotePort)} [0-9A-F]+:${hex(localPort)} (?:\\S+ +){4}(\\d+) `,
    'm',
  );
  for (const file of LISTS) {
    const user = ends.exec(listIn(file))?.[1];
    if (user !== undefined) return Number(user) === process.getuid?.();
  }
  return undefined;
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

function listIn(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
