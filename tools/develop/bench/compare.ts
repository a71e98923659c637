import { Agent, request } from 'node:http';
import { quantile } from './figure.js';
import type { Work } from './load.js';
import { prepareBilling, preparePayments } from './requests.js';
import { type MeasuredServer, startMeasuredServer } from './servers.js';

/** Processor time of two kinds of call per request, in microseconds. */
interface ComparedRow {
  readonly work: string;
  /** Of calls in the base and in the version, at the lower quartile of all batches: what else runs on the machine only ever adds. */
  readonly before: number;
  readonly now: number;
  /** The version's to the base's: at the least, the lower quartile and the median. */
  readonly ratios: readonly [number, number, number];
}

const CALLS = 200;
/** Which the payments pack is written in. Clients name their version with every call, also this one. */
const BASE = '2024-12-18.acacia';
/** Batches that warm up. */
const WARM = 10;

/**
 * Compares calls that ask for a version of the API with the same ones in the version that the pack is written in.
 * @param version such as `2026-10-28.endive`
 */
export async function measureVersions(
  version: string,
  batches: number,
  isWanted: (name: string) => boolean,
  say: (text: string) => void,
): Promise<ComparedRow[]> {
  const sides: Sides = [
    { server: await startMeasuredServer('payments'), version: BASE },
    { server: await startMeasuredServer('payments'), version },
  ];
  const prepare = async (server: MeasuredServer) => [
    ...works(await preparePayments(server)),
    ...(await prepareBilling(server)),
  ];
  return compare(sides, prepare, batches, isWanted, say);
}

/** A server, and the requested API version; none by default. */
interface Side {
  readonly server: MeasuredServer;
  readonly version?: string;
}

type Sides = readonly [Side, Side];

function works(prepared: readonly { readonly work: Work }[]): Work[] {
  return prepared.map(({ work }) => work);
}

async function compare(
  sides: Sides,
  prepare: (server: MeasuredServer) => Promise<Work[]>,
  batches: number,
  isWanted: (name: string) => boolean,
  say: (text: string) => void,
): Promise<ComparedRow[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const rows: ComparedRow[] = [];
  try {
    const prepared = [await prepare(sides[0].server), await prepare(sides[1].server)];
    for (const [index, { name }] of prepared[0].entries()) {
      if (!isWanted(name)) continue;
      const times: [number[], number[]] = [[], []];
      for (let batch = 0; batch < WARM + batches; batch++) {
        for (const side of batch % 2 === 0 ? [0, 1] : [1, 0]) {
          const { server } = sides[side];
          const begun = await server.cpu();
          for (let n = 0; n < CALLS; n++) await call(sides[side], prepared[side][index], agent);
          if (batch >= WARM) times[side].push(((await server.cpu()) - begun) / CALLS);
        }
      }
      const at = (share: number) => times.map((each) => quantile(each, share)) as [number, number];
      const [low, quarter, half] = [0, 0.25, 0.5].map(at);
      const row: ComparedRow = {
        work: name,
        before: quarter[0],
        now: quarter[1],
        ratios: [low[1] / low[0], quarter[1] / quarter[0], half[1] / half[0]],
      };
      rows.push(row);
      say(`${row.work}: ${Math.round(row.before)} us before, ${Math.round(row.now)} us now`);
    }
  } finally {
    agent.destroy();
    await Promise.all(sides.map(({ server }) => server.stop()));
  }
  return rows;
}

function call({ server, version }: Side, work: Work, agent: Agent): Promise<void> {
  const { body = '' } = work;
  return new Promise((resolve, reject) => {
    const sent = request(
      server.url + work.path,
      {
        method: work.method,
        agent,
        headers: {
          authorization: `Bearer ${server.key}`,
          ...(version === undefined ? {} : { 'vendor-version': version }),
          ...(body === ''
            ? {}
            : {
                'content-type': work.contentType ?? 'application/x-www-form-urlencoded',
                'content-length': Buffer.byteLength(body),
              }),
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`'${work.name}' answers ${response.statusCode}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
