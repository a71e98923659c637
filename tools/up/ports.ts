import { createServer } from 'node:net';
import { Exit, Failure } from '../command/output.js';

/** The first port for applications on a machine, and the distance to the next application's. */
const FIRST = 8800;
const APART = 20;
const HIGHEST = 65_535;

/**
 * The port of the control API of an application's vendors; the vendors' ports follow it.
 * @param given the requested port; 0: any
 * @param known the first vendor's port in the application's file
 * @throws Failure if not enough ports after the requested one are free
 */
export async function portFor(given: number | undefined, known: number | undefined, vendors: number): Promise<number> {
  if (given !== undefined) {
    if (given === 0 || given + vendors <= HIGHEST) return given;
    throw new Failure(
      Exit.cannotRun,
      'port_range',
      `no ${vendors} ports follow ${given}: the vendors take those after it`,
      `Choose one up to ${HIGHEST - vendors}, or --port 0 for any free ones.`,
    );
  }
  if (known !== undefined) return known > 1 ? known - 1 : 0;
  for (let first = FIRST; first + vendors <= HIGHEST; first += APART)
    if (await areFree(first, first + vendors)) return first;
  return 0;
}

async function areFree(first: number, last: number): Promise<boolean> {
  for (let port = first; port <= last; port += 1) if (!(await isFree(port))) return false;
  return true;
}

/** Whether a local port is free. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
