import { inside, keyIn, type ResourceDef } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';
import { enteredStates } from './machines.js';
import { allTexts, names } from './walk.js';

/** Warns of pins that nothing reads. */
export function checkPins(pack: CompiledPack): void {
  const { model } = pack;
  const read = pathsRead(pack);
  for (const program of pack.resources) {
    const { def } = program;
    for (const [path, file] of Object.entries(def.file.pins ?? {})) {
      const place = inside(def.place, 'pins', path);
      const keys = path.replace(/\.\*$/, '').split('.');
      const first = def.schema.fields.get(keys[0]);
      const warn = (message: string): void => model.diagnostics.warning(keyIn(place), 'pin-never-binds', message);
      if (!first) {
        if (![...read].some((each) => each === path || (path.endsWith('.*') && each.startsWith(path.slice(0, -1))))) {
          const suggestion = model.env.suggest(keys[0], def.schema.fields.keys());
          model.diagnostics.warning(
            keyIn(place),
            'pin-never-binds',
            `'${path}' is no field, and no expression reads it with pinned('${path}')`,
            { suggestion },
          );
        }
        continue;
      }
      const wrong = missingMember(def, keys);
      if (wrong !== undefined) model.diagnostics.unknown(keyIn(place), 'field', wrong.name, wrong.known);
      const moments = names(file.at);
      const entered = enteredStates(def);
      // Unknown moments pass here, since they are reported elsewhere.
      const comes = (moment: string): boolean => !def.machine?.states.includes(moment) || entered.has(moment);
      if (moments.length > 0 && !moments.some(comes))
        warn(`'${path}' never binds: no transition enters ${moments.join(' or ')}`);
    }
    checkBranches(def, read, pack);
  }
}

/** Returns the first part of a path that its type lacks, with the known names; undefined if the path is valid. */
function missingMember(
  def: ResourceDef,
  keys: readonly string[],
): { readonly name: string; readonly known: Iterable<string> } | undefined {
  let at = def.schema.fields.get(keys[0]);
  for (const key of keys.slice(1)) {
    if (at?.kind !== 'object' || at.open) return undefined;
    if (!at.fields.has(key)) return { name: key, known: at.fields.keys() };
    at = at.fields.get(key);
  }
  return undefined;
}

function checkBranches(def: ResourceDef, read: ReadonlySet<string>, pack: CompiledPack): void {
  if (!def.file.branches || def.file.branches.length === 0) return;
  if (!read.has('branch')) {
    pack.model.diagnostics.warning(
      keyIn(def.place, 'branches'),
      'pin-never-binds',
      "no expression reads pinned('branch')",
    );
  }
}

/** Paths that some expression reads through `pinned`. */
function pathsRead(pack: CompiledPack): Set<string> {
  const found = new Set<string>();
  for (const { text } of allTexts(pack)) {
    for (const [, path] of text.matchAll(/\bpinned\([^'"()]*(?:\([^()]*\)[^'"()]*)*['"]([\w.]+)['"]\)/g))
      found.add(path);
  }
  return found;
}
