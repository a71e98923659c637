import type { CallReport } from '../../engine/index.js';
import type { Output } from './output.js';

/** Milliseconds for which lines are collected, so that many are written at once under load. */
const GATHER_MS = 20;

/** Prints one line for each call. */
export class CallLines {
  #lines: string[] = [];

  constructor(private readonly output: Output) {}

  readonly add = (call: CallReport): void => {
    if (this.#lines.length === 0) setTimeout(this.flush, GATHER_MS).unref();
    this.#lines.push(this.#line(call));
  };

  readonly flush = (): void => {
    if (this.#lines.length === 0) return;
    this.output.print(this.#lines.join('\n'));
    this.#lines = [];
  };

  #line({ trace, world, near }: CallReport): string {
    const { request, operation, status, error, replayed } = trace;
    const parts = [
      world === null ? '' : `[${world}]`,
      status === 0
        ? 'cut'
        : this.output.styled(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status)),
      `${request.method} ${request.path}`,
      operation === null || operation.includes(' ') ? '' : operation,
      decidedBy(trace),
      replayed ? 'replayed' : '',
      error ?? '',
      near === undefined ? '' : `did you mean ${near}?`,
    ];
    return parts.filter((part) => part !== '').join('  ');
  }
}

/** Formats what decided the response, unless it was the vendor's usual behavior. */
function decidedBy({ outcome, fault, scenario, magic_values: values }: CallReport['trace']): string {
  switch (outcome) {
    case 'fault':
      return `fault ${String(fault)}`;
    case 'scenario':
      return `scenario ${String(scenario)}`;
    case 'magic_value':
      return `test value ${values.join(', ')}`;
    case 'normal':
      return '';
  }
}
