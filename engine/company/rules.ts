import { valueWithOrigin } from '../expression/index.js';
import { type AdvancedEvent, type Engine, reasonOf } from '../runtime/index.js';
import { isObject, type JsonObject } from '../values/index.js';
import type { Row } from '../world/index.js';
import type { Names, Value } from './values.js';

/** A rule: an event of one vendor triggers an action at another. */
export interface CompanyRule {
  readonly name: string;
  readonly vendor: string;
  readonly event: string;
  /** Whether the rule applies to an event; null: always. */
  readonly holds: Value | null;
  readonly actions: readonly { readonly vendor: string; readonly cause: string; readonly given: Value }[];
}

/** Statistics of a rule in this process. */
interface RuleReport {
  readonly name: string;
  readonly when: string;
  fired: number;
  failed: number;
  /** The last error; null: none. */
  error: string | null;
}

/** An event that the rules haven't processed yet. */
interface Waiting {
  readonly engine: Engine;
  readonly row: Row;
  /** Number of rules that led to the waiting event. */
  readonly depth: number;
}

/** Limit of rules that trigger each other, and of actions that follow from one command. */
const MOST_DEEP = 16;
const MOST_ACTIONS = 1_000;
const BEYOND_BUDGET = `more than ${MOST_DEEP} rules lead to each other, or ${MOST_ACTIONS} actions follow`;

/** Name of the command that the ledger records when an action of a rule fails. */
const RULE_FAILED = 'rule failed';

/**
 * Runs the rules of a company. Each action is a command of its own, after the commit of the command with the event, so its
 * failure doesn't affect that command. Order: events of a command, rules of the file, then their consequences.
 */
export class CompanyRules {
  readonly #engines = new Map<string, Engine>();
  readonly #waiting: Waiting[] = [];
  readonly #reports = new Map<string, RuleReport>();
  #depth = 0;
  #isRunning = false;

  constructor(
    private readonly rules: readonly CompanyRule[],
    private readonly names: () => Names,
    private readonly onDefect: (error: unknown, what: string) => void,
  ) {
    for (const { name, vendor, event } of rules)
      this.#reports.set(name, { name, when: `${vendor}/${event}`, fired: 0, failed: 0, error: null });
  }

  /** Starts processing the packs' events. */
  follow(engines: ReadonlyMap<Engine, string>): void {
    for (const [engine, vendor] of engines) {
      this.#engines.set(vendor, engine);
      const types = new Set(this.rules.flatMap((rule) => (rule.vendor === vendor ? [rule.event] : [])));
      if (types.size === 0) continue;
      const typeField = engine.pack.delivery()?.typeField ?? 'type';
      const isMeant = ({ value }: Row): boolean => types.has(String(value[typeField]));
      engine.onEvents((events) => this.#take(engine, events.filter(isMeant)));
    }
  }

  /** Statistics of each rule. */
  get reports(): readonly RuleReport[] {
    return [...this.#reports.values()];
  }

  /** Runs the rules for all committed events, and for the events that follow. @returns the events that follow */
  readonly run = (): readonly AdvancedEvent[] => {
    if (this.#isRunning || this.#waiting.length === 0) return [];
    const emitted: AdvancedEvent[] = [];
    this.#isRunning = true;
    try {
      let actions = 0;
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
        for (const rule of this.#rulesOf(next)) {
          if (next.depth >= MOST_DEEP || actions >= MOST_ACTIONS) {
            this.#waiting.length = 0;
            this.#failed(rule, next, new Error(BEYOND_BUDGET), { code: 'rule_budget', message: BEYOND_BUDGET });
            break;
          }
          actions += rule.actions.length;
          this.#apply(rule, next, emitted);
        }
    } finally {
      this.#isRunning = false;
      this.#depth = 0;
    }
    return emitted;
  };

  #take(engine: Engine, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    // Actions that a call triggers run before the next call; during an advance, the clock runs them.
    if (this.#waiting.length === 0 && !this.#isRunning) queueMicrotask(this.run);
    this.#waiting.push(...rows.map((row) => ({ engine, row, depth: this.#depth })));
  }

  #rulesOf({ engine, row }: Waiting): readonly CompanyRule[] {
    const type = row.value[engine.pack.delivery()?.typeField ?? 'type'];
    return this.rules.filter((rule) => rule.event === type && this.#engines.get(rule.vendor) === engine);
  }

  #apply(rule: CompanyRule, cause: Waiting, emitted: AdvancedEvent[]): void {
    const { engine, row, depth } = cause;
    const report = this.#reports.get(rule.name);
    // Each pack has its own address, which the event's links contain.
    const event = valueWithOrigin(engine.responseOf(row), engine.runtime.reader.baseUrl);
    const names = { ...this.names(), event };
    this.#depth = depth + 1;
    try {
      if (rule.holds && rule.holds(names, engine) !== true) return;
      for (const { vendor, cause: name, given } of rule.actions) {
        const target = this.#engines.get(vendor);
        if (!target) continue;
        target.world.settle();
        const params = given(names, target);
        const args = { rule: rule.name, event: row.id, params } satisfies JsonObject;
        const { events } = target.cause(name, isObject(params) ? params : {}, false, args, 'rule');
        emitted.push(...events.map((each) => ({ row: each, engine: target })));
      }
      if (report) report.fired++;
    } catch (error) {
      this.#failed(rule, cause, error);
    }
  }

  #failed({ name }: CompanyRule, { engine, row }: Waiting, error: unknown, reason = reasonOf(error)): void {
    const report = this.#reports.get(name);
    const { code, message } = reason;
    if (report) {
      report.failed++;
      report.error = `${code}: ${message}`;
    }
    engine.world.note({
      command: RULE_FAILED,
      origin: 'rule',
      args: { rule: name, event: row.id, error: { code, message } },
    });
    this.onDefect(error, `rule ${name}`);
  }
}
