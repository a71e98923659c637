import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { installation } from '../../command/installation.js';
import type { JsonObject } from '../../../engine/values/index.js';
import type { DeclaredWords, Kit } from './kit.js';
import { type LawFile, lawsOf } from './law-file.js';

/** The members of a kit that are data. */
type KitData = Pick<
  Kit,
  'pack' | 't0' | 'requests' | 'moves' | 'durations' | 'pins' | 'lists' | 'silent' | 'keeps' | 'beginning' | 'laws'
>;

/** `kit.yaml` of a pack. */
interface KitFile extends Omit<KitData, 'beginning' | 'laws'> {
  /** Bodies of `POST` calls by path. */
  readonly beginning: readonly Readonly<Record<string, JsonObject>>[];
  readonly declared: Omit<DeclaredWords, 'named' | 'usual'> & {
    /** Resources by patterns of names. */
    readonly named: Readonly<Record<string, string>>;
  };
  /** Possible statuses of an object by event type. */
  readonly statuses: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Reads `kit.yaml` and `laws.yaml` of a pack. @param folder in this one @param usual parameters with which operations usually succeed */
export function kitIn(
  folder: string,
  usual: DeclaredWords['usual'] = {},
): KitData & Pick<Kit, 'declared' | 'statusesOf'> {
  const read = (name: string): unknown =>
    parse(readFileSync(join(installation(), 'tools', 'develop', 'simulate', folder, name), 'utf8'));
  const { beginning, declared, statuses, ...data } = read('kit.yaml') as KitFile;
  return {
    ...data,
    beginning: beginning.flatMap((each) =>
      Object.entries(each).map(([path, body]) => ({ method: 'POST', path, body })),
    ),
    declared: {
      ...declared,
      named: Object.entries(declared.named).map(([pattern, resource]) => [new RegExp(pattern), resource]),
      usual,
    },
    laws: lawsOf(read('laws.yaml') as LawFile),
    statusesOf: (type) => statuses[type],
  };
}
