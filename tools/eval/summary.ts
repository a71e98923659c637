import type { Trajectory } from './verdicts.js';

/** The results of a task's runs. */
export interface TaskSummary {
  readonly task: string;
  readonly runs: number;
  readonly passed: number;
  /** Mean reward of the task's runs. */
  readonly reward: number;
  /** Probability that at least one of k runs passes, by k. */
  readonly pass_at: Readonly<Record<string, number>>;
  /** Probability that all of k runs pass, by k. */
  readonly pass_hat: Readonly<Record<string, number>>;
}

/** Computes the summary of a task from its runs. @param ks values of k for `pass_at` and `pass_hat`; values above the number of runs are omitted */
export function summariseTask(task: string, runs: readonly Trajectory[], ks: readonly number[]): TaskSummary {
  const n = runs.length;
  const passed = runs.filter(({ pass }) => pass).length;
  const known = ks.filter((k) => k <= n);
  return {
    task,
    runs: n,
    passed,
    reward: rounded(runs.reduce((sum, { reward }) => sum + reward, 0) / n),
    pass_at: Object.fromEntries(known.map((k) => [k, rounded(1 - chosen(n - passed, k, n))])),
    pass_hat: Object.fromEntries(known.map((k) => [k, rounded(chosen(passed, k, n))])),
  };
}

/** Computes the probability that k items chosen from n are all in a subset of this size. */
function chosen(among: number, k: number, n: number): number {
  return Array.from({ length: k }).reduce<number>((chance, _, i) => (chance * Math.max(0, among - i)) / (n - i), 1);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Describes the failed checks in one line. */
export function failureOf({ checks, stopped }: Trajectory): string {
  const failed = checks
    .filter(({ holds }) => !holds)
    .map(({ check, kind, found }) => `check ${check + 1} (${kind}): ${found}`);
  return [...(stopped === null ? [] : [stopped]), ...failed].join('; ');
}

/** Formats the runs as JUnit's XML: a suite for each task. @param seconds real time of a run */
export function junit(tasks: ReadonlyMap<string, readonly Trajectory[]>, seconds: (run: Trajectory) => number): string {
  const suites = [...tasks].map(([task, runs]) => {
    const failures = runs.filter(({ pass }) => !pass).length;
    const cases = runs.map((run) => {
      const head = `    <testcase classname="${escaped(task)}" name="${escaped(`${run.agent} ${run.run}`)}" time="${seconds(run).toFixed(3)}"`;
      if (run.pass) return `${head}/>`;
      return `${head}><failure message="reward ${run.reward}">${escaped(failureOf(run))}</failure></testcase>`;
    });
    return [
      `  <testsuite name="${escaped(task)}" tests="${runs.length}" failures="${failures}">`,
      ...cases,
      '  </testsuite>',
    ];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites.flat(), '</testsuites>', ''].join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (character) => ESCAPES[character]).replace(/[^\t\n\r\x20-\uFFFD]/g, '');
}
