import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installationFolder } from './installation.js';
import { suggest } from './suggest.js';
import { yaml } from './yaml.js';

/** Host names and packages of the vendor in a pack.yaml. */
interface VendorNames {
  readonly hosts?: readonly string[];
  readonly packages?: readonly (Readonly<Record<string, unknown>> & { readonly vars?: Variables })[];
}

type Variables = Readonly<Record<string, string>>;

/** The pack that an unknown name probably means, with the variables that make it emulate the named vendor. */
interface MeantPack {
  readonly name: string;
  readonly vars: Variables;
}

/**
 * Returns the message for a pack that doesn't exist: the one probably meant, and all existing ones. A vendor's name is resolved
 * to the pack with that vendor's hosts or packages.
 * @param isCommand whether variables are set by `--set` instead of `vars`
 */
export function noSuchPack(given: string, isCommand = false): { readonly message: string; readonly advice: string } {
  const names = packNames();
  const meant = meantPack(given, names);
  return {
    message: `there is no pack '${given}'${meant === undefined ? '' : ` (did you mean ${shown(meant, isCommand)}?)`}`,
    advice: `A pack is a folder with a pack.yaml, or one of: ${names.join(', ')}.`,
  };
}

/** Returns the message for a pack whose folder doesn't exist; undefined if it exists. @param given pack's name or path */
export function missingPack(folder: string, given: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const { message, advice } = noSuchPack(given);
  return `${message}. ${advice}`;
}

/** Lists the names of the packs in this installation. */
function packNames(): readonly string[] {
  const folder = join(installationFolder(), 'packs');
  return existsSync(folder) ? readdirSync(folder).filter((name) => existsSync(join(folder, name, 'pack.yaml'))) : [];
}

function meantPack(given: string, names: readonly string[]): MeantPack | undefined {
  const word = given
    .replace(/[\\/]+$/, '')
    .replace(/^.*[\\/]/, '')
    .toLowerCase();
  for (const name of names) {
    const text = readFileSync(join(installationFolder(), 'packs', name, 'pack.yaml'), 'utf8');
    const { hosts = [], packages = [] } = yaml().parse(text) as VendorNames;
    for (const { vars = {}, ...registries } of packages)
      if ([...Object.values(vars), ...Object.values(registries).flat()].includes(word)) return { name, vars };
    if (hosts.some((host) => host.split('.').includes(word))) return { name, vars: {} };
  }
  const near = suggest(word, names);
  return near === undefined ? undefined : { name: near, vars: {} };
}

function shown({ name, vars }: MeantPack, isCommand: boolean): string {
  const set = Object.entries(vars);
  if (set.length === 0) return `'${name}'`;
  return isCommand
    ? `'${name}' with ${set.map((each) => `--set ${each.join('=')}`).join(' ')}`
    : `'${name}' with vars: { ${set.map((each) => each.join(': ')).join(', ')} }`;
}
