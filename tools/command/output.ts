import { styleText } from 'node:util';

/** What the exit codes mean. */
export const Exit = {
  done: 0,
  /** What was given to check or serve is wrong: a pack, the content of a file. Or what was asked for cannot be now. */
  wrongInput: 1,
  /** The command itself cannot run: an option, a name or a file that is not there, a port, a permission. */
  cannotRun: 2,
} as const;

export type ExitCode = (typeof Exit)[keyof typeof Exit];

/** Ends a command with a message for the person who ran it. */
export class Failure extends Error {
  /**
   * @param code stable, for `--json`
   * @param details lines that follow the message: what to do, or every problem in full
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

/** Where a command writes to: a stream of the process, or what hands it on. */
export interface Sink {
  readonly isTTY?: boolean;
  hasColors?(): boolean;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

/** The two streams of a command. Colours are for terminals, and where they are forced (https://no-color.org). */
export class Output {
  constructor(
    private readonly out: Sink = process.stdout,
    private readonly err: Sink = process.stderr,
  ) {
    // A reader that goes away (`sandbox serve | head -1`) does not stop the service.
    for (const stream of [out, err]) stream.on('error', () => undefined);
  }

  /** Whether problems and failures may be coloured. */
  get colorErrors(): boolean {
    return hasColors(this.err);
  }

  get colorOutput(): boolean {
    return hasColors(this.out);
  }

  /** The same, with what goes wrong written in another way. */
  withErrors(write: (text: string) => void): Output {
    return new Output(this.out, { write: (text) => write(text.trimEnd()), on: () => undefined });
  }

  print(text: string): void {
    this.out.write(`${text}\n`);
  }

  error(text: string): void {
    this.err.write(`${text}\n`);
  }

  /** Text with a style where the output is coloured. */
  styled(style: Style, text: string): string {
    return this.colorOutput ? styleText(style, text) : text;
  }

  /** Prints why a command ends. */
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

/** `1 error`, `2 errors`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** Prints defects of packs and the engine beside a command's own output. */
export function defectReporter(output: Output): (error: unknown, what: string) => void {
  return (error, what) =>
    output.error(`defect in ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
