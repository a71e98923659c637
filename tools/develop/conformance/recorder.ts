import type { ConformanceOptions } from './bodies.js';
import type { ShapeProblem } from './check.js';
import { type ConformanceRelease, PINNED } from './releases.js';

interface Finding {
  problem: ShapeProblem;
  /** Number of times that the problem occurred. */
  count: number;
  /** Label of the first body with the problem. */
  first: string;
}

/** Collects the conformance problems of many bodies, so that a test file fails once with all of them. */
export class ConformanceRecorder {
  readonly #findings = new Map<string, Finding>();
  #bodies = 0;
  #clean = 0;

  /** @param release whose declarations apply; the pinned client's by default */
  constructor(
    readonly options: ConformanceOptions = {},
    private readonly release: ConformanceRelease = PINNED,
  ) {}

  /** Returns the number of checked bodies, and of those without problems. */
  get bodies(): { readonly all: number; readonly clean: number } {
    return { all: this.#bodies, clean: this.#clean };
  }

  /** Checks a body; `label` names its source, such as `POST /v1/charges`. */
  check(label: string, body: unknown, options: ConformanceOptions = {}): void {
    this.#bodies += 1;
    const problems = this.release.conformance.of(body, { ...this.options, ...options });
    if (problems.length === 0) this.#clean += 1;
    for (const problem of problems) {
      const key = `${problem.type} ${problem.at} ${problem.code}`;
      const finding = this.#findings.get(key);
      if (finding) finding.count += 1;
      else this.#findings.set(key, { problem, count: 1, first: label });
    }
  }

  /** Throws one error that lists every distinct problem with its count and first label, if there are any. */
  assertClean(): void {
    if (this.#findings.size === 0) return;
    const findings = [...this.#findings.values()];
    const lines = findings.map(lineOf).sort();
    const title = `${findings.length} distinct problems in ${this.#bodies} bodies against the types of ${this.release.name}`;
    throw new Error([`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n'));
  }
}

function lineOf({ problem, count, first }: Finding): string {
  const where = [problem.type, problem.at].filter((part) => part !== '').join('.');
  return `${where} ${problem.message} (${count}x, first in ${first}${problem.path === '' ? '' : ` at ${problem.path}`})`;
}
