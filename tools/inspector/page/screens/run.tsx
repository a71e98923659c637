import type { JSX } from 'preact';
import { get } from '../api.js';
import { live } from '../live.js';
import { Empty, HttpStatus, Problem, Section, Tag } from '../parts.js';
import { to } from '../router.js';
import { useAsked, useStore } from '../store.js';
import { Table } from '../tables.js';
import { plural } from '../text.js';
import type { Diff, JsonObject } from '../types.js';
import { FieldChanges } from './changes.js';

/** An evaluation run, as `sandbox eval` records it. */
export interface Run {
  readonly task: string;
  readonly agent: string;
  readonly run: number;
  readonly prompt: string;
  /** Ledger entry after which the agent started. */
  readonly since: number;
  readonly reward: number;
  readonly pass: boolean;
  readonly stopped?: string;
  readonly checks: readonly {
    readonly about: string;
    readonly kind: string;
    readonly holds: boolean;
    readonly weight: number;
    readonly found: string;
  }[];
  readonly calls: readonly {
    readonly operation: string | null;
    readonly tool: string | null;
    readonly status: number;
    readonly trace: string;
    readonly outside?: readonly JsonObject[];
  }[];
}

/** Shows an agent's prompt, the result of each check, its calls, and their changes. */
export function RunScreen({ run }: { run: Run }): JSX.Element {
  useStore(live);
  const { value, error } = useAsked(() => get<Diff>('/diff', { from: String(run.since), limit: 200 }), [live.changes]);
  const held = run.checks.filter(({ holds }) => holds).length;
  return (
    <div class="page">
      <Section title={`${run.task}, run ${run.run}`} aside={<Verdict holds={run.pass} words={['passed', 'failed']} />}>
        <p>{run.prompt}</p>
        <p class="muted">
          Reward {run.reward} for {run.agent}; {held} of {plural(run.checks.length, 'check')}
          {run.stopped === undefined ? '' : `; stopped: ${run.stopped}`}
        </p>
      </Section>
      <Section title="Verdict">
        <Table
          heads={['Check', 'Verdict', 'Weight', 'Found']}
          rows={run.checks.map(({ about, kind, holds, weight, found }, at) => ({
            key: String(at),
            cells: [
              <>
                {at + 1}. {kind} <code>{about}</code>
              </>,
              <Verdict holds={holds} words={['holds', 'does not hold']} />,
              weight,
              found,
            ],
          }))}
        />
      </Section>
      <Section title="Calls">
        {run.calls.length === 0 && <Empty>The agent made no calls.</Empty>}
        <Table
          heads={['Call', 'Tool', 'Status', 'Then, outside']}
          rows={run.calls.map(({ operation, tool, status, trace, outside = [] }, at) => ({
            key: trace,
            cells: [
              <>
                {at + 1}. <a href={to('timeline', trace)}>{operation ?? 'unknown'}</a>
              </>,
              tool,
              <HttpStatus status={status} />,
              outside.map((each) => JSON.stringify(each)).join(', '),
            ],
          }))}
        />
      </Section>
      <Section title="What changed">
        <Problem error={error} />
        {value && value.objects.length === 0 && <Empty>No differences.</Empty>}
        {value && value.objects.length > 0 && <FieldChanges diff={value} from="At the start" to="At the end" />}
      </Section>
    </div>
  );
}

function Verdict({ holds, words }: { holds: boolean; words: readonly [string, string] }): JSX.Element {
  return <Tag tone={holds ? 'good' : 'bad'}>{words[holds ? 0 : 1]}</Tag>;
}
