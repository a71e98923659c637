import type { ControlClient } from '../../engine/control/client.cjs';

interface Trace {
  readonly id: string;
  readonly operation: string | null;
  readonly outcome: string;
  readonly request: { readonly method?: string; readonly path?: string; readonly params?: unknown };
  readonly status: number;
  readonly error: string | null;
  readonly fault: string | null;
  readonly scenario: string | null;
  readonly magic_values: readonly string[];
  readonly exogenous: readonly { readonly field_path: string; readonly source: string; readonly value: unknown }[];
}

/** Maximum number of traces that are searched for a failed call. */
const LOOKED_AT = 100;
/** Maximum number of external values in an explanation. */
const SHOWN = 8;

/** Explains the last call of a world that returned an error, in lines; '' if there is none. */
export async function lastFailure(control: ControlClient): Promise<string> {
  const { data } = (await control.call('GET', `/traces?limit=${LOOKED_AT}`)) as { data: readonly Trace[] };
  const trace = data.find(({ status }) => status >= 400);
  return trace === undefined ? '' : explained(trace);
}

function explained({ id, operation, outcome, request, status, error, ...rest }: Trace): string {
  const lines = [
    `the last call that failed: ${request.method ?? ''} ${request.path ?? ''} -> ${status} ${error ?? ''}`.trimEnd(),
    `  operation ${operation ?? '(none)'}, decided by ${decider(outcome, rest)}`,
  ];
  if (request.params !== undefined) lines.push(`  parameters ${JSON.stringify(request.params)}`);
  for (const { field_path, source, value } of rest.exogenous.filter(({ source }) => source === 'pin').slice(0, SHOWN))
    lines.push(`  ${field_path} = ${JSON.stringify(value)} (${source})`);
  lines.push(`  all of it: GET /__admin__/trace/${id}`);
  return lines.join('\n');
}

function decider(
  outcome: string,
  { fault, scenario, magic_values: values }: Pick<Trace, 'fault' | 'scenario' | 'magic_values'>,
): string {
  if (fault !== null) return `the active fault ${fault}`;
  if (scenario !== null) return `the scenario ${scenario}`;
  if (outcome === 'magic_value') return `the test value ${values.join(', ')}`;
  return "the vendor's rules";
}
