import { statSync } from 'node:fs';
import { join } from 'node:path';
import { packsOfCompany } from '../../engine/company/index.js';
import { PackInvalid } from '../../engine/index.js';
import type { Output } from '../command/output.js';
import { rejection } from '../command/problems.js';
import { type Watch, watchText } from '../command/watch.js';
import { applicationFiles, isDeclaration } from '../up/used-packages.js';
import { type FoundVendor, vendorsOf } from '../up/vendors.js';

/** The running vendors, and the files that they were started from. */
interface Followed {
  readonly folder: string;
  readonly file: string;
  readonly packs: readonly string[];
  readonly found: readonly FoundVendor[];
  /** Paths of the application's files, relative to its folder. */
  readonly paths: readonly string[];
  /** Names of the packs in the company file. */
  readonly served: readonly string[];
}

/**
 * Reports changes that the running vendors don't include: in the company file, and in the application's manifests, lockfiles and example
 * environments. It doesn't restart, since that would empty the world.
 */
export function watchApplication({ folder, file, packs, found, paths, served }: Followed, output: Output): Watch {
  const path = join(folder, file);
  const names = paths.filter((each) => isDeclaration(each));
  let [ownBefore, before] = [timesOf([path]), found];
  const look = async (): Promise<void> => {
    const own = timesOf([path]);
    if (own !== ownBefore) {
      ownBefore = own;
      await reportFile(path, file, output);
    }
    const now = vendorsOf(applicationFiles(folder), packs);
    for (const each of now) reportVendor(each, before, served, file, output);
    before = now;
  };
  return watchText(
    () => timesOf([path, ...names.map((each) => join(folder, each))]),
    () => void look(),
  );
}

async function reportFile(path: string, file: string, output: Output): Promise<void> {
  try {
    await packsOfCompany(path);
    output.error(
      `${file} has changed: the vendors serve as before until they start again (Ctrl-C or sandbox down, then sandbox up)`,
    );
  } catch (error) {
    if (!(error instanceof PackInvalid)) return output.error(`${file} has changed, and can't be read`);
    const { message, details } = rejection(error, output.colorErrors);
    output.error(`${file} has changed: ${message}\n${details}`);
  }
}

function reportVendor(
  { pack, packages }: FoundVendor,
  before: readonly FoundVendor[],
  served: readonly string[],
  file: string,
  output: Output,
): void {
  const known = before.find((each) => each.pack === pack);
  for (const { name, version, file: by } of packages) {
    const former = known?.packages.find((each) => each.name === name && each.file === by);
    if (former !== undefined && former.version !== version)
      output.error(`${pack}: ${name} is ${String(version)} now, it was ${String(former.version)} (${by})`);
  }
  if (known === undefined && !served.includes(pack))
    output.error(
      `${pack} is used now and not in ${file}: add under vendors \`${pack}: { pack: ${pack} }\`, and start again`,
    );
}

/** Returns times and sizes of files as text, to detect changes. Missing files are included. */
function timesOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found === undefined ? '-' : `${found.mtimeMs} ${found.size}`;
    })
    .join('\n');
}
