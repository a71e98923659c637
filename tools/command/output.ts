import { styleText } from 'node:util';

/** The exit codes. */
export const Exit = {
  done: 0,
  /** Invalid input, such as a pack or a file's content; also a request that isn't possible now. */
  wrongInput: 1,
  /** The command can't run: an invalid option, a missing name or file, a port, a permission. */
  cannotRun: 2,
} as const;

export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** An error that ends a command with a message for the user. */
export class Failure extends Error {
  /**
   * Creates a failure.
   * @param code stable error code, for `--json`
   * @param details lines after the message: advice, or every problem in full
   */
  constructor(
    readonly exit: ExitCode,
    readonly code: string,
    message: string,
    readonly details = '',
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

type Style = Parameters<typeof styleText>[0];

/** The target of a command's output: a stream of the process, or a forwarder. */
export interface Sink {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** The two output streams of a command. Coloured on terminals, or if forced (https://no-color.org). */
export class Output {
  constructor(
    private readonly out: Sink = process.stdout,
    private readonly err: Sink = process.stderr,
  ) {
    // Ignores errors of closed pipes (`sandbox serve | head -1`), which must not stop the service.
    for (const stream of [out, err]) stream.on('error', () => undefined);
  }

  /** Whether problems and failures are coloured. */
  get colorErrors(): boolean {
    return hasColors(this.err);
  }

  get colorOutput(): boolean {
    return hasColors(this.out);
  }

  /** Creates an output with the same standard output, whose errors go to another function. */
  withErrors(write: (text: string) => void): Output {
    return new Output(this.out, { write: (text) => write(text.trimEnd()), on: () => undefined });
  }

  print(text: string): void {
    this.out.write(`${text}\n`);
  }

  error(text: string): void {
    this.err.write(`${text}\n`);
  }

  /** Styles a text, if the output is coloured. */
  styled(style: Style, text: string): string {
    return this.colorOutput ? styleText(style, text) : text;
  }

  /** Prints the failure that ends a command. */
  failure(failure: Failure, json: boolean): void {
    const { code, message, details, data } = failure;
    if (json) return this.error(JSON.stringify({ error: { code, message, ...data } }));
    const head = this.colorErrors ? styleText('red', 'error') : 'error';
    this.error(`${head}: ${message}${details === '' ? '' : `\n${details}`}`);
  }
}

function hasColors(stream: Sink): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true && (process.env['NO_COLOR'] ?? '') === '';
}

/** Formats a number with its noun: `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}

/** Prints defects of packs and the engine besides a command's own output. */
export function defectReporter(output: Output): (error: unknown, what: string) => void {
  return (error, what) =>
    output.error(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
