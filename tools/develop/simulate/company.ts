import { packsOfCompany } from '../../../engine/company/index.js';
import { type Bug, type Company, createCompany, type Member, PackCache, replayCompany } from '../../../engine/index.js';
import { CauseRejected } from '../../../engine/runtime/index.js';
import type { JsonObject } from '../../../engine/values/index.js';
import { anyCause } from './cause.js';
import { Dice, seedFrom } from './dice.js';
import type { Kit } from './kit.js';
import { eventInstantMs, eventsBroken, leaksBroken, newsBroken, orderBroken, timersBroken } from './laws.js';
import { PAYMENTS } from './payments/kit.js';
import type { StoryWorld, Broken, SimulationStep } from './story.js';
import { printOf } from './simulation.js';
import { TASK_AUTOMATION } from './task-automation/kit.js';
import { ObservedWorld, textField } from './view.js';

const KITS = new Map<string, Kit>([PAYMENTS, TASK_AUTOMATION].map((kit) => [kit.pack, kit]));
const DAY_MS = 86_400_000;
/** Possible numbers of days for which actors run in one step. */
const SPANS = [1, 2, 3, 5, 10];
const MOVES = ['1h', '1d', '5d'];

/** A story of a company: its actors run, external events are triggered in its vendors, and forks continue beside it. */
export class CompanySimulation implements StoryWorld {
  readonly counts: Record<string, number> = {};
  readonly #cache = PackCache.ofInstallation();
  readonly #defects: string[] = [];
  /** Types and ids of events that were checked already, with their vendors. */
  readonly #reported = new Set<string>();
  #company: Company | null = null;
  #seed = 0;

  /** Creates a simulation of a company. @param name the company file */
  constructor(readonly name: string) {}

  async begin(seed: number): Promise<void> {
    await this.close();
    this.#seed = seed;
    this.#reported.clear();
    this.#defects.length = 0;
    this.#company = await createCompany({
      file: this.name,
      seed: `simulation ${seed}`,
      cache: this.#cache,
      onDefect: (error, what) => {
        // Actors' rules can be rejected in the current state, for example after their user was deactivated.
        if (error instanceof CauseRejected) this.#count('rules rejected', 1);
        else this.#defects.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      },
    });
  }

  async step(number: number): Promise<SimulationStep> {
    const { said, broken } = await this.#do(new Dice(seedFrom(this.#seed, 'step', number)));
    return { said, broken: [...broken, ...this.#brokenLaws()] };
  }

  /** Exports the history, and checks that a replay results in the same state. */
  async end(): Promise<SimulationStep> {
    const bug = (await this.#playing.control.export()) as unknown as Bug;
    const packs = Object.fromEntries((await packsOfCompany(this.name)).map(({ name, pack }) => [name, pack]));
    const { company, unlike } = await replayCompany(bug, { packs, cache: this.#cache });
    await company.close();
    const law = 'a replay is what was';
    return { said: 'all is replayed', broken: unlike === null ? [] : [{ law, what: JSON.stringify(unlike) }] };
  }

  print(): number {
    return printOf(this.#members);
  }

  async close(): Promise<void> {
    await this.#company?.close();
    this.#company = null;
  }

  get #playing(): Company {
    if (!this.#company) throw new Error('no story has begun');
    return this.#company;
  }

  get #members(): readonly Member[] {
    return Object.values(this.#playing.vendors);
  }

  async #do(dice: Dice): Promise<SimulationStep> {
    const company = this.#playing;
    const way = dice.below(100);
    if (way < 25) {
      const [name, { control }] = dice.one(Object.entries(company.vendors));
      const { said, broken } = await anyCause(control, dice);
      return { said: `${name}: ${said}`, broken };
    }
    if (way < 40) {
      const move = dice.one(MOVES);
      const { failed_total: failed, failed: which } = await company.control.advance(move);
      const broken = failed ? [{ law: 'no timer fails', what: JSON.stringify(which).slice(0, 600) }] : [];
      return { said: `the clock moves by ${move}`, broken };
    }
    const to = this.#members[0].engine.world.nowMs + dice.one(SPANS) * DAY_MS;
    if (way < 90) return { said: await this.#live(company, to), broken: [] };
    const fork = await company.fork(undefined, true);
    const said = `beside a fork, ${await this.#live(company, to)}`;
    await fork.live(new Date(to).toISOString());
    const isSame = printOf(Object.values(fork.vendors)) === this.print();
    await fork.close();
    return { said, broken: isSame ? [] : [{ law: 'a fork lives on as its company', what: said }] };
  }

  async #live(company: Company, toMs: number): Promise<string> {
    const to = new Date(toMs).toISOString();
    const { acts, actors } = await company.live(to);
    this.#count('acts', acts);
    for (const { rejected } of Object.values(actors))
      for (const times of Object.values(rejected)) this.#count('rejected', times);
    return `actors act until ${to}: ${acts}`;
  }

  #count(what: string, times: number): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  #brokenLaws(): Broken[] {
    const found: (readonly [string, Iterable<string>])[] = [['no defect', this.#defects.splice(0)]];
    for (const [name, member] of Object.entries(this.#playing.vendors)) {
      const { engine } = member;
      const events = eventsOf(member);
      found.push(['timers live', timersBroken(member)], ['events are in order', orderBroken(events, eventInstantMs)]);
      const kit = KITS.get(engine.model.settings.name);
      if (!kit) continue;
      const view = new ObservedWorld(member);
      const key = (event: JsonObject): string => `${name} ${textField(event, 'id')}`;
      const fresh = events.filter((event) => !this.#reported.has(key(event)));
      for (const event of fresh) this.#reported.add(key(event));
      found.push(
        ['events tell the states that were', eventsBroken(kit, fresh)],
        ['objects name what is theirs', leaksBroken(member, kit)],
        ['the newest event tells what is', newsBroken(member, kit, view, events)],
        ...kit.laws.map((law) => [law.name, law.broken(view)] as const),
      );
    }
    return found.flatMap(([law, whats]) => [...whats].slice(0, 3).map((what) => ({ law, what })));
  }
}

function eventsOf({ engine }: Member): readonly JsonObject[] {
  const index = engine.pack.eventMaker?.resource.index;
  const rows = index === undefined ? [] : engine.world.tenants.rows(index).filter(({ tenant }) => tenant === null);
  return rows.map(({ value }) => value);
}
