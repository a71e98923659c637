import type { ServeOptions } from './serve-options.js';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type {
  AdvanceProgress,
  FileStore,
  MailTarget,
  ReplicaOptions,
  Sandbox,
  SandboxOptions,
  MovedWorld,
  SmtpDoor,
} from '../../engine/index.js';
import type { UnreadNews } from '../../engine/http/index.js';
import type { UnsupportedUse } from '../../engine/world/index.js';
import { readInputFile } from '../command/input-file.js';
import { counted, defectReporter, Exit, Failure, type Output } from '../command/output.js';
import { cannotListen } from '../command/system-failure.js';
import { Timings } from '../command/timings.js';

const STORE_ADVICE = 'Nothing was changed in it. Give another file: --store ./other.db.';
const MISMATCH_ADVICE =
  'Nothing was changed in it. Serve the pack as it was, with the same variables (--set), move its worlds to the pack as it is now (--changed-pack move), or give another file: --store ./other.db.';
const ADVICE: Readonly<Record<string, string>> = {
  locked: 'Another sandbox has it open: stop that one, or give another file.',
  full: 'No acknowledged call is lost. Free disk space and start again.',
};

const T0_FORMS = '--t0 takes ISO 8601 (2025-01-31T12:00:00Z, 2025-01-31) or Unix seconds (1738324800).';
const IDLE_FORMS = '--idle takes a duration (10m, 1h30m) or never.';

/** Maximum number of listed parts that were dropped from a migrated world. */
const DROPPED_SHOWN = 10;

/** Opens a store, and reports what was lost. @throws Failure if the file can't be used */
export async function openStore(
  file: string,
  { quiet }: Pick<ServeOptions, 'quiet'>,
  output: Output,
): Promise<FileStore> {
  const { FileStore, StoreError } = await import('../../engine/index.js');
  const isNew = !existsSync(file);
  try {
    const store = await FileStore.open(file);
    if (isNew && !quiet) output.error(`${file} is new: its first world begins`);
    for (const what of await store.leftOut()) output.error(`${file}: ${what}`);
    return store;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Failure(Exit.cannotRun, `store_${error.code}`, error.message, ADVICE[error.code] ?? STORE_ADVICE);
  }
}

/** Converts the command's options to those that all servers share. @throws Failure for an invalid option */
export async function startOptions(
  pack: string,
  packs: readonly string[],
  options: ServeOptions,
  output: Output,
  timings?: Timings,
): Promise<Omit<ReplicaOptions & SandboxOptions, 'database' | 'store' | 'tls'>> {
  const { PackCache, StoreError } = await import('../../engine/index.js');
  const { parseDuration, parseInstant } = await import('../../engine/world/index.js');
  const { port, host, t0, clock, seed, set: vars, expires } = options;
  if (t0 !== undefined && parseInstant(t0) === undefined) {
    throw new Failure(Exit.cannotRun, 't0_invalid', `'${t0}' isn't a valid time`, T0_FORMS);
  }
  const idle = options.idle === 'never' ? Infinity : parseDuration(options.idle);
  if (idle === undefined || idle <= 0)
    throw new Failure(Exit.cannotRun, 'idle_invalid', `'${options.idle}' isn't a valid duration`, IDLE_FORMS);
  const expiresMs = expires === undefined ? undefined : durationOf('--expires', expires, parseDuration);
  const teams =
    options.teams === undefined ? undefined : await (await import('../command/teams-file.js')).readTeams(options.teams);
  const cache = PackCache.ofInstallation();
  subscribe('sandbox:unread', (message) => {
    const { connections, bytes } = message as UnreadNews;
    output.error(
      `ended ${counted(connections, 'connection')}: ${Math.ceil(bytes / 2 ** 20)} MiB of responses weren't read`,
    );
  });
  let isReported = false;
  subscribe('sandbox:tls-to-plain', (message) => {
    if (isReported) return;
    isReported = true;
    const { address } = message as { readonly address: AddressInfo };
    output.error(
      `a client speaks TLS to port ${address.port}, which serves plain HTTP: give it http:// as its address, or serve with --tls`,
    );
  });
  const reportDefect = defectReporter(output);
  const onDefect = (error: unknown, what: string): void => {
    // Omits the stack trace of a database error, since that isn't a defect of the program.
    if (error instanceof StoreError) output.error(`${what}: ${error.message}`);
    else reportDefect(error, what);
  };
  const onAdvance = options.quiet
    ? undefined
    : ({ now, to, fired }: AdvanceProgress) => {
        output.error(`clock at ${String(now)} on its way to ${String(to)}, ${counted(fired, 'timer')} fired`);
      };
  const onNearVersion = options.quiet
    ? undefined
    : (asked: string, served: string): void => {
        output.error(`version ${asked} is served as ${served} (see X-Mock-Version)`);
      };
  const onMoved = ({ id, name, pack: moved, objects, timers, dropped }: MovedWorld): void => {
    const kept = `${counted(objects, 'object')} and ${counted(timers, 'timer')} kept`;
    output.error(`world ${id} (${name}) moved to the files of ${moved} as they are now: ${kept}`);
    for (const what of dropped.slice(0, DROPPED_SHOWN)) output.error(`  dropped ${what}`);
    if (dropped.length > DROPPED_SHOWN)
      output.error(`  dropped ${counted(dropped.length - DROPPED_SHOWN, 'more thing')}`);
  };
  const onUnsupported = options.quiet
    ? undefined
    : ({ kind, name }: UnsupportedUse, what: string): void =>
        output.error(
          `not emulated: ${what} asks for the ${kind.replace('_', ' ')} ${name} (reported once; see /__admin__/unsupported)`,
        );
  const { lenientVersions, strict, cors, changedPack } = options;
  const onPhase = timings && ((phase: string) => timings.ended(phase));
  const { key, alsoKeys } = keysOf(options);
  const reached = [options.publicUrl, options.advertise].flatMap((url) =>
    url === undefined ? [] : new URL(url).hostname,
  );
  const hostNames = [...(options.allowHost ?? []), ...reached];
  const listeners = { onDefect, onPhase, onAdvance, onNearVersion, onUnsupported, onMoved };
  const moving = changedPack === undefined ? {} : { changedPack };
  return {
    pack,
    packs,
    port,
    host,
    publicUrl: options.publicUrl,
    hostNames,
    key,
    alsoKeys,
    teams,
    expiresMs,
    t0,
    clock,
    seed,
    vars,
    cache,
    idleMs: idle,
    lenientVersions,
    strict,
    cors,
    ...moving,
    ...listeners,
  };
}

/** Parses an option's duration, to milliseconds. @throws Failure */
function durationOf(flag: string, text: string, parse: (text: string) => number | undefined): number {
  const ms = parse(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new Failure(
    Exit.cannotRun,
    'duration_invalid',
    `${flag}: '${text}' isn't a valid duration`,
    'A duration is written as 30s, 10m, 24h or 7d.',
  );
}

/** Reads the given key, from an option or a file, and further keys in the file. @throws Failure if the file can't be used */
function keysOf({ key, keyFile }: ServeOptions): { readonly key?: string; readonly alsoKeys: readonly string[] } {
  if (keyFile === undefined) return { key, alsoKeys: [] };
  const [first, ...alsoKeys] = readInputFile(keyFile, 'key_file_invalid', 'the key file ')
    .trim()
    .split(/\s*\n\s*/);
  if ([first, ...alsoKeys].every((each) => /^\S+$/.test(each))) return { key: first, alsoKeys };
  throw new Failure(Exit.cannotRun, 'key_file_invalid', `the key file ${keyFile} does not hold one key a line`);
}

/** Converts the error of a server that can't start to a failure; returns other errors unchanged. */
export async function rejectedStart(error: unknown, options: ServeOptions, output: Output): Promise<unknown> {
  const { LedgerMismatch, PackInvalid, StoreError } = await import('../../engine/index.js');
  if (error instanceof PackInvalid) {
    const { rejection } = await import('../command/problems.js');
    return rejection(error, output.colorErrors, options.set);
  }
  if (error instanceof LedgerMismatch) {
    const store = String(options.store).replace(/:[^:@/]*@/, ':***@');
    return new Failure(Exit.cannotRun, 'store_mismatch', `${store}: ${error.message}`, MISMATCH_ADVICE);
  }
  if (error instanceof StoreError)
    return new Failure(Exit.cannotRun, `store_${error.code}`, error.message, ADVICE[error.code] ?? STORE_ADVICE);
  return cannotListen(error, options.port, options.host) ?? (await cannotMakeCode(error)) ?? error;
}

/** Serves SMTP if the option `--smtp` is given. @throws Failure if no pack receives mail, or the port is taken */
export async function openDoor(
  targets: readonly MailTarget[],
  options: ServeOptions,
  output: Output,
): Promise<SmtpDoor | undefined> {
  if (options.smtp === undefined) return undefined;
  const { serveSmtp } = await import('./serve-smtp.js');
  return serveSmtp(targets, options.smtp, options, output);
}

/** What the start message of a server shows. */
interface Announced {
  readonly url: string;
  /** The key of the world; null if it was shown before and only its hash is stored. */
  readonly key: string | null;
  readonly pack: Sandbox['pack'];
}

/** Prints a server's address, its key, and the certificate that clients have to trust. */
export function announce(
  { url, key, pack }: Announced,
  { json, quiet }: ServeOptions,
  certificate: string | null,
  output: Output,
): void {
  const trust = certificate === null ? {} : { cert: certificate };
  if (json)
    return output.print(JSON.stringify({ url, key, pack: { name: pack.name, version: pack.version }, ...trust }));
  if (quiet) return;
  const lines = {
    url,
    key: key ?? 'as it was printed at the first start',
    pack: `${pack.name} ${pack.version}`,
    // Puts the key into the fragment, which browsers don't send, so that neither proxies nor logs contain it.
    open: `${url}/__admin__/${key === null ? '' : `#key=${encodeURIComponent(key)}`}`,
    ...trust,
  };
  for (const [name, value] of Object.entries(lines)) output.print(`${output.styled('dim', name.padEnd(5))} ${value}`);
}

async function cannotMakeCode(error: unknown): Promise<Failure | undefined> {
  const { CodeRejected } = await import('../../engine/expression/index.js');
  if (!(error instanceof CodeRejected)) return undefined;
  return new Failure(Exit.cannotRun, 'code_forbidden', error.message, 'Start it without that option of Node.');
}
