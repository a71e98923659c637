import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredLine } from '../prose/figures.js';

/** What the facts of a vendor's document cost a pack; times are processor time. */
export interface FactsCost {
  readonly pack: string;
  /** Of one call without facts, in microseconds, its client included; and how many times as long it takes with them: quartiles of blocks of calls. */
  readonly callMicros: number;
  readonly ratios: readonly [low: number, median: number, high: number];
  /** Of a process until it is ready, and until its first response, medians in milliseconds: without facts and with them. */
  readonly readyMs: readonly [without: number, withFacts: number];
  readonly firstMs: readonly [without: number, withFacts: number];
}

/** The costs of all packs, and where they were measured. */
interface FactsCosts {
  readonly commit: string;
  readonly rows: readonly FactsCost[];
}

const COSTS = join('docs', 'internals', 'facts-cost.json');
const PAGE = join('docs', 'internals', 'refusals.md');

/** The part of the page of rejected calls about cost; empty until it was measured. */
export function costSection(): string {
  if (!existsSync(COSTS)) return '';
  const { commit, rows } = JSON.parse(readFileSync(COSTS, 'utf8')) as FactsCosts;
  const line = ({ pack, callMicros, ratios, readyMs, firstMs }: FactsCost): string => {
    const [low, median, high] = ratios.map((ratio) => ratio.toFixed(3));
    return `| ${pack} | ${callMicros} | ${median} (${low} to ${high}) | ${readyMs.join(', ')} | ${firstMs.join(', ')} |`;
  };
  return `## What facts cost

Each pack with and without its \`facts.yaml\`: blocks of calls in turn, in one process, and processes that start in turn; processor time. The machine
had other work (a load of 12): in quieter blocks and starts the two sides differ by less than both spread. What the first call of an operation
links of the facts, is in the first response.

${measuredLine(commit, 'npm run bench:facts -- --write', 100, ['engine/runtime', 'engine/compile', 'packs'])}

| Pack | A call without, us | with, of that | ready without, with, ms | first response without, with, ms |
|---|---|---|---|---|
${rows.map(line).join('\n')}

`;
}

/** Keeps what was measured, beside the rows of other packs, and writes it into the page. */
export function writeCosts(commit: string, measured: readonly FactsCost[]): void {
  const known = existsSync(COSTS) ? (JSON.parse(readFileSync(COSTS, 'utf8')) as FactsCosts).rows : [];
  const others = known.filter(({ pack }) => measured.every((each) => each.pack !== pack));
  const costs: FactsCosts = { commit, rows: [...others, ...measured].sort((a, b) => (a.pack < b.pack ? -1 : 1)) };
  writeFileSync(COSTS, `${JSON.stringify(costs, null, 2)}\n`);
  const text = readFileSync(PAGE, 'utf8');
  const begin = text.indexOf('## What facts cost');
  const end = text.indexOf('## How to measure');
  writeFileSync(PAGE, text.slice(0, begin < 0 ? end : begin) + costSection() + text.slice(end));
}
