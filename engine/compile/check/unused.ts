import type { Unused } from '../../codes.js';
import { isObject, type Json } from '../../values/index.js';
import { ENGINE_ERRORS, inside, keyIn, type SourceLocation } from '../../model/index.js';
import { flowName } from '../flows.js';
import { USES } from '../../pack/index.js';
import type { CompiledPack } from '../pack.js';
import { allTexts } from './walk.js';

/**
 * Warns of named parts of a pack that nothing uses: flows, errors, durations, types, formats, id formats, tables, variables,
 * provided values. Runs after everything was compiled, since compiling records the uses.
 */
export function checkUnused(pack: CompiledPack): void {
  checkUncalled(pack);
  const { model } = pack;
  const { file } = model.packPlace;
  const words = wordsOf(pack);
  const warn = (place: SourceLocation, what: Unused, name: string): void =>
    model.diagnostics.warning(keyIn(place), `unused-${what}`, `nothing uses ${what.replace('-', ' ')} '${name}'`);
  const data = isObject(file.data) ? file.data : {};
  for (const [key, what] of [
    ['formats', 'format'],
    ['ids', 'id-format'],
    ['vars', 'variable'],
  ] as const) {
    for (const name of keysOf(data[key])) {
      const used = what === 'variable' ? words.variables.has(name) : words.formats.has(name);
      if (!used) warn({ file, path: [key, name] }, what, name);
    }
  }
  const types = model.source.one('types');
  for (const name of keysOf(types?.data)) {
    if (types && !words.values.has(name) && !words.values.has(`${name}?`))
      warn({ file: types, path: [name] }, 'type', name);
  }
  for (const table of model.tables.values()) {
    const named = words.values.has(table.name) || words.expressions.has(table.name);
    if (!named)
      model.diagnostics.warning(inside(table.place, 'table'), 'unused-table', `nothing uses table '${table.name}'`);
  }
  checkProvided(pack, words.expressions);
}

interface UsedNames {
  /** Complete texts of the pack's files, which may be names. */
  readonly values: ReadonlySet<string>;
  /** Words inside of the pack's texts, which may be names in expressions. */
  readonly expressions: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  /** Names of formats: values of `format`, and second arguments of `new_id`. */
  readonly formats: ReadonlySet<string>;
}

function wordsOf(pack: CompiledPack): UsedNames {
  const values = new Set<string>();
  const expressions = new Set<string>();
  const variables = new Set<string>();
  const formats = new Set<string>();
  for (const file of pack.model.source.files) {
    if (USES.has(file.kind)) continue;
    for (const [, name] of file.text.matchAll(/\bvars\.(\w+)/g)) variables.add(name);
  }
  for (const { text, place } of allTexts(pack)) {
    if (place.file.kind === 'table' && place.path[0] === 'table') continue;
    values.add(text);
    if (place.path.at(-1) === 'format') formats.add(text);
    for (const [, name] of text.matchAll(/\bnew_id\([^,]*,\s*['"]?(\w+)/g)) formats.add(name);
    for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) expressions.add(word);
  }
  return { values, expressions, variables, formats };
}

/** Warns of values that scenarios provide and no expression reads. */
function checkProvided({ model }: CompiledPack, words: ReadonlySet<string>): void {
  const file = model.source.one('scenarios');
  if (!isObject(file?.data)) return;
  const list = file.data['scenarios'];
  if (!Array.isArray(list)) return;
  for (const [index, scenario] of list.entries()) {
    const provided = isObject(scenario) ? keysOf(scenario['provide']) : [];
    for (const name of provided) {
      if (words.has(name) && asked(model.source.files, name)) continue;
      const place = { file, path: ['scenarios', index, 'provide', name] };
      model.diagnostics.warning(keyIn(place), 'unused-value', `no expression asks for scenario('${name}')`);
    }
  }
}

function asked(files: CompiledPack['model']['source']['files'], name: string): boolean {
  const question = new RegExp(`\\bscenario\\(\\s*['"]${name}['"]`);
  return files.some((file) => question.test(file.text));
}

function keysOf(value: Json | undefined): string[] {
  return isObject(value ?? null) ? Object.keys(value as object) : [];
}

/** Warns of flows, errors and durations that nothing compiled so far has used. */
function checkUncalled({ model, compiler, flows }: CompiledPack): void {
  const { used, diagnostics } = compiler;
  const warn = (place: SourceLocation, what: Unused, name: string) =>
    diagnostics.warning(place, `unused-${what}`, `nothing uses ${what.replace('-', ' ')} '${name}'`);
  for (const [name, flow] of flows) {
    if (!used.flows.has(name)) warn(flowName(flow), 'flow', name);
  }
  for (const [name, error] of model.errors) {
    if (!used.errors.has(name) && !Object.hasOwn(ENGINE_ERRORS, name)) warn(keyIn(error.place), 'error', name);
  }
  for (const name of model.settings.durations.keys()) {
    if (!used.durations.has(name)) warn(keyIn(model.packPlace, 'durations', name), 'duration', name);
  }
}
