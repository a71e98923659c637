import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { installation } from '../command/installation.js';

/** How recordings of a vendor are compared with a pack: `tools/recordings/<pack>.yaml`. */
export interface RulesFile {
  readonly pack: string;
  /** Calls of other hosts are left out. */
  readonly hosts: readonly string[];
  /** Versions: the header that names one, the pack's own, the oldest whose keys all are still there, and the days of the pack's time. */
  readonly version: {
    readonly header: string;
    readonly own: string;
    readonly oldest: string;
    readonly from: string;
    readonly to: string;
  };
  /** The header whose key makes a call idempotent. */
  readonly idempotency?: { readonly header: string };
  /** Calls with this header act for another account. */
  readonly account: { readonly header: string };
  /** What recorders put in place of something, and what was there. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** A seed; `${day}` in it is the day of the recording. */
  readonly begin: Readonly<Record<string, unknown>>;
  /** Variables of the pack, as `serve --set` gives them. */
  readonly vars: Readonly<Record<string, string>>;
  /** Operations whose responses are all of the account. */
  readonly of_account: readonly string[];
  readonly random: readonly string[];
  /** Paths that an account's settings decide, or how far the vendor has come: then with the values that both sides may have. */
  readonly settings: readonly (string | ValuesAtPath)[];
  /** What the vendor fills in a moment after its response, or before it. */
  readonly later?: readonly string[];
  /** Public repositories that hold recordings, each with the commit that is played. */
  readonly sources?: readonly RecordingSource[];
  /** Its tests presume a world, which their responses show. */
  readonly presumes?: true;
}

/** A path whose values are excused only among these. */
interface ValuesAtPath {
  readonly path: string;
  readonly either: readonly (string | boolean | null | readonly string[])[];
}

export interface RecordingSource {
  /** `owner/name` on the code host. */
  readonly repository: string;
  readonly commit: string;
  /** The folder that holds the recordings. */
  readonly path: string;
  readonly format: 'wiremock' | 'replay-data' | 'cassettes';
  /** What a seed says of the account that was recorded. */
  readonly account?: Readonly<Record<string, unknown>>;
  /** What differs in it is not looked at while the pack is built. */
  readonly apart?: true;
}

export function recordingRules(pack: string): RulesFile {
  return parse(readFileSync(join(installation(), 'tools', 'recordings', `${pack}.yaml`), 'utf8')) as RulesFile;
}

/** Rules for a pack that has no file of its own: everything of the named hosts counts, nothing is excused but what differs every time. */
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
