import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { formatYaml } from '../format/format.js';
import { findPack, shownFolder } from '../command/installation.js';
import { exampleOf } from '../recordings/example.js';
import { recordingProxy } from '../recordings/proxy.js';
import { readRecording, type Recorded, recordingsIn } from '../recordings/read.js';
import { seedsOf } from '../recordings/seeds.js';
import type { PrivateKind } from '../recordings/secrets.js';
import { counted, Exit, Failure, type Output } from '../command/output.js';

/** The parsed options of `sandbox record`. */
export interface RecordOptions {
  readonly to: string;
  readonly port: number;
  readonly name: string;
  /** Kinds of personal data that are replaced. */
  readonly hide: readonly PrivateKind[];
  /** File for seed data of the recorded calls, which is written instead of an example. */
  readonly seedFile?: string;
}

/**
 * Stores calls of a vendor as an example of a pack, or as seed data: from recordings, or from the calls through this proxy until it is stopped.
 * Returns the exit code.
 * @param target the vendor's address, or a recording (a file or a folder)
 * @throws Failure if it is neither
 */
export async function record(target: string, options: RecordOptions, output: Output): Promise<number> {
  const { to, port, name, hide, seedFile } = options;
  if (!/^[\w-]+$/.test(name))
    throw new Failure(
      Exit.cannotRun,
      'name_invalid',
      `'${name}' cannot be the name of an example`,
      'A name has letters, digits, _ and -.',
    );
  const folder = resolve(to, 'examples');
  const pack = seedFile === undefined ? to : await findPack(to);
  const writeExample = (title: string, calls: readonly Recorded[]): void => {
    mkdirSync(folder, { recursive: true });
    const text = exampleOf(title, calls, hide);
    const file = join(folder, `${title}.yaml`);
    writeFileSync(file, formatYaml(text) ?? text);
    output.print(`${shownFolder(file).replace(/\/$/, '')}: ${counted(calls.length, 'call')}`);
  };
  const writeSeeds = async (file: string, calls: readonly Recorded[]): Promise<void> => {
    const { text, taken, rejected } = await seedsOf(pack, calls, hide);
    if (taken === 0)
      throw new Failure(
        Exit.wrongInput,
        'recording_invalid',
        `${to} makes nothing of these calls: ${rejected ?? 'there is none'}`,
        'Packs take them by an external event `call.recorded`.',
      );
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, formatYaml(text) ?? text);
    const left = taken === calls.length ? '' : `; ${calls.length - taken} left out: ${String(rejected)}`;
    output.print(`${file}: ${counted(taken, 'call')}${left}`);
  };
  if (existsSync(target)) {
    const read = recordingsIn(resolve(target)).map((file) => ({ file, calls: readRecording(file) }));
    const kept = read.filter(({ calls }) => calls.length > 0);
    if (kept.length === 0)
      throw new Failure(
        Exit.wrongInput,
        'recording_invalid',
        `${target} holds no recorded calls`,
        'It reads cassettes of VCR and vcrpy, HAR files, what nock recorded as objects, and examples that it wrote.',
      );
    if (seedFile !== undefined)
      await writeSeeds(
        seedFile,
        kept.flatMap(({ calls }) => calls),
      );
    else
      for (const { file, calls } of kept)
        writeExample(
          basename(file)
            .replace(/\.\w+$/, '')
            .replace(/\W+/g, '-'),
          calls,
        );
    return Exit.done;
  }
  if (!/^https?:/.test(target) || !URL.canParse(target))
    throw new Failure(
      Exit.cannotRun,
      'target_invalid',
      `'${target}' is neither an address nor a recording`,
      "Give the vendor's address (https://api.vendor.com), or a file or folder that is there.",
    );
  const calls: Recorded[] = [];
  const server = recordingProxy(new URL(target), (call) => {
    calls.push(call);
    output.error(`${call.method} ${call.url.pathname} ${call.status}`);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
  output.print(
    `http://localhost:${(server.address() as AddressInfo).port} hands on to ${target}; Ctrl-C ends the recording`,
  );
  await new Promise<void>((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
  server.close();
  server.closeAllConnections();
  if (calls.length === 0) return Exit.done;
  if (seedFile === undefined) writeExample(name, calls);
  else await writeSeeds(seedFile, calls);
  return Exit.done;
}
