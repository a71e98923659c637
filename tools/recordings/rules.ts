import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { installation } from '../command/installation.js';

/** The rules for comparing a vendor's recordings with a pack: `tools/recordings/<pack>.yaml`. */
export interface RulesFile {
  readonly pack: string;
  /** Hosts of the vendor; calls to other hosts are ignored. */
  readonly hosts: readonly string[];
  /** API versions: the header, the pack's own version, the oldest one with all of its keys, and the pack's period in days. */
  readonly version: {
    readonly header: string;
    readonly own: string;
    readonly oldest: string;
    readonly from: string;
    readonly to: string;
  };
  /** The header that contains the idempotency key. */
  readonly idempotency?: { readonly header: string };
  /** Header that selects another account for a call. */
  readonly account: { readonly header: string };
  /** Placeholders that recorders put in place of values, with the values. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** Seed data; `${day}` is replaced by the day of the recording. */
  readonly begin: Readonly<Record<string, unknown>>;
  /** Variables of the pack, as in `serve --set`. */
  readonly vars: Readonly<Record<string, string>>;
  /** Operations whose responses depend only on the account. */
  readonly of_account: readonly string[];
  readonly random: readonly string[];
  /** Paths that depend on an account's settings or the vendor's progress, optionally with the values that both sides may have. */
  readonly settings: readonly (string | ValuesAtPath)[];
  /** Paths that the vendor sets shortly after or before its response. */
  readonly later?: readonly string[];
  /** Public repositories with recordings, and the commit to use. */
  readonly sources?: readonly RecordingSource[];
  /** Set if the recordings need objects from before the recording, which are reconstructed from responses. */
  readonly presumes?: true;
}

/** A path that may differ only among these values. */
interface ValuesAtPath {
  readonly path: string;
  readonly either: readonly (string | boolean | null | readonly string[])[];
}

export interface RecordingSource {
  /** Repository on the code host, as `owner/name`. */
  readonly repository: string;
  readonly commit: string;
  /** Folder of the recordings in the repository. */
  readonly path: string;
  readonly format: 'wiremock' | 'replay-data' | 'cassettes' | 'documented';
  /** Whether the recorder sorted the members of responses. */
  readonly unordered?: true;
  /** Seed data of the recorded account. */
  readonly account?: Readonly<Record<string, unknown>>;
  /** Whether these recordings are held out: they aren't used to develop the pack. */
  readonly apart?: true;
}

export function recordingRules(pack: string): RulesFile {
  const file = parse(readFileSync(join(installation(), 'tools', 'recordings', `${pack}.yaml`), 'utf8')) as RulesFile;
  return { ...generalRules(pack, file.hosts), ...file };
}

/** Creates default rules: all calls to the hosts count, and only random values may differ. */
export function generalRules(pack: string, hosts: readonly string[]): RulesFile {
  return {
    pack,
    hosts,
    version: { header: '', own: '', oldest: '', from: '1970-01-01', to: '9999-12-31' },
    account: { header: '' },
    placeholders: {},
    begin: {},
    vars: {},
    of_account: [],
    random: ['**.url', '**.*_url', '**.request_id'],
    settings: [],
  };
}
