import { isObject, type Json, type JsonObject } from '../../values/index.js';
import type { NamedInPack } from '../../codes.js';
import { Diagnostics, inside, keyIn, type SourceLocation, type TaskFile } from '../../model/index.js';
import { type ProblemList, type SourceFile, suggest } from '../../pack/index.js';
import type { Program } from '../../program/index.js';

/** Names that a task may use although no earlier step keeps them. */
const GIVEN = ['now', 'vars'];
/** The prefix of names in a task with a single pack. */
const ONLY = '';
const WITH_OTHERS = 'a task in a pack is about this pack alone: keep one of several packs elsewhere';
const CHANGES = ['added', 'changed', 'removed'] as const;
const CHANGE_WORDS = ['count', 'to', 'from', 'same'];

/** Checks the tasks in the pack's own folder. */
export function checkTasks(pack: Program): void {
  const { source, diagnostics } = pack.model;
  const named = new Map<string, string>();
  for (const file of source.all('task').filter(({ broken }) => !broken)) {
    const { task, packs = [], company } = file.data as TaskFile;
    if (packs.length === 1) checkTask(new Map([[ONLY, pack]]), file, diagnostics.problems);
    else
      diagnostics.problem({ file, path: [company === undefined ? 'packs' : 'company'] }, 'invalid-value', WITH_OTHERS);
    const sameName = named.get(task);
    if (sameName !== undefined)
      diagnostics.problem({ file, path: ['task'] }, 'duplicate-example', `${sameName} has the same name`);
    named.set(task, file.path);
  }
}

/**
 * Reports names in a task that its packs don't have, and values that no step keeps. The file has passed its schema.
 * @param packs by the prefix of their names; '' for the only one
 */
export function checkTask(packs: ReadonlyMap<string, Program>, file: SourceFile, problems: ProblemList): void {
  const task = file.data as TaskFile;
  const place: SourceLocation = { file, path: [] };
  const check = new TaskCheck(packs, new Diagnostics(problems));
  check.ofSeveral(task, place);
  const kept = new Set(GIVEN);
  for (const [index, step] of (task.setup ?? []).entries()) {
    const at = inside(place, 'setup', index);
    check.names(step, at, kept);
    check.step(step, at);
    if (step.as !== undefined) kept.add(step.as);
  }
  for (const [index, event] of (task.script ?? []).entries()) {
    const at = inside(place, 'script', index);
    check.names(event, at, kept);
    check.step(event, at);
    if (event.after) check.operation(event.after.operation, inside(at, 'after', 'operation'));
  }
  check.names(task.prompt, inside(place, 'prompt'), kept);
  check.names(task.key ?? null, inside(place, 'key'), kept);
  for (const [index, each] of task.checks.entries()) {
    const at = inside(place, 'checks', index);
    check.names({ ...each, final: null }, at, kept);
    check.check(each, at);
  }
  for (const [name, agent] of Object.entries(task.agents ?? {})) {
    const own = new Set(kept);
    for (const [index, call] of agent.calls.entries()) {
      const at = inside(place, 'agents', name, 'calls', index);
      check.names(call, at, own);
      check.step(call, at);
      if (call.as !== undefined) own.add(call.as);
    }
  }
}

interface TaskStep {
  readonly call?: string;
  readonly event?: { readonly cause: string };
  readonly seed?: JsonObject | string;
}

class TaskCheck {
  constructor(
    private readonly packs: ReadonlyMap<string, Program>,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** Reports keys of a task that need several packs, or a single one. */
  ofSeveral({ key, tools = {}, checks }: TaskFile, place: SourceLocation): void {
    const isAlone = this.packs.has(ONLY);
    for (const [index, { final, vendor }] of checks.entries()) {
      const at = inside(place, 'checks', index);
      if (vendor !== undefined && !(this.packs.has(vendor) && !isAlone)) this.#noPack(vendor, inside(at, 'vendor'));
      else if (vendor === undefined && final !== undefined && !isAlone)
        this.diagnostics.problem(inside(at, 'final'), 'missing-key', `'vendor' says whose expression it is`);
    }
    if (isAlone) return;
    if (key !== undefined)
      this.diagnostics.problem(inside(place, 'key'), 'invalid-value', 'several packs have a key each: leave it out');
    for (const vendor of Object.keys(tools))
      if (!this.packs.has(vendor)) this.#noPack(vendor, keyIn(place, 'tools', vendor));
  }

  step({ call, event, seed }: TaskStep, at: SourceLocation): void {
    if (call !== undefined) this.operation(call, inside(at, 'call'));
    if (event) this.#known('cause', event.cause, ({ causes }) => causes.keys(), inside(at, 'event', 'cause'));
    if (typeof seed === 'object') for (const name of Object.keys(seed)) this.#collection(name, keyIn(at, 'seed', name));
  }

  check(check: TaskFile['checks'][number], at: SourceLocation): void {
    for (const kind of CHANGES) {
      const change = check[kind];
      const collections = Object.keys(change ?? {}).filter((key) => !CHANGE_WORDS.includes(key));
      for (const name of collections) this.#collection(name, keyIn(at, kind, name));
      if (change && collections.length !== 1)
        this.diagnostics.problem(inside(at, kind), 'wrong-type', 'it names one collection');
    }
    for (const key of ['never', 'order'] as const)
      for (const [index, name] of (check.calls?.[key] ?? []).entries())
        this.operation(name, inside(at, 'calls', key, index));
    if (check.calls?.operation !== undefined) this.operation(check.calls.operation, inside(at, 'calls', 'operation'));
    const { unchanged = null } = check;
    if (isObject(unchanged) && Array.isArray(unchanged['allow']))
      for (const [index, name] of (unchanged['allow'] as readonly Json[]).entries())
        this.#collection(String(name), inside(at, 'unchanged', 'allow', index));
    if (check.delivered)
      this.#known('event', check.delivered.event, ({ eventTypes }) => eventTypes, inside(at, 'delivered', 'event'));
  }

  operation(name: string, place: SourceLocation): void {
    this.#known('operation', name, ({ operations }) => operations.map(({ key }) => key), place);
  }

  /** Reports `${name...}` in the texts of a value if no earlier step keeps the name. */
  names(value: Json, place: SourceLocation, kept: ReadonlySet<string>): void {
    if (typeof value === 'string') {
      for (const { 0: part, 1: name, index } of value.matchAll(/(?<!\$)\$\{\s*([A-Za-z_]\w*)(?=\s*[}.[])/g)) {
        if (kept.has(name)) continue;
        this.diagnostics.problem(place, 'unknown-name', `nothing before this keeps '${name}'`, {
          offset: index + part.length - name.length,
          suggestion: suggest(name, kept),
        });
      }
      this.#forgotten(value, place, kept);
    } else if (Array.isArray(value))
      (value as readonly Json[]).forEach((item, index) => this.names(item, inside(place, index), kept));
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) this.names(item, inside(place, key), kept);
  }

  /** Warns of missing braces: `${order.id`, and `order.id` if an earlier step keeps `order` and no pack uses that name. */
  #forgotten(value: string, place: SourceLocation, kept: ReadonlySet<string>): void {
    const [open] = /(?<!\$)\$\{[^}]*$/.exec(value) ?? [];
    if (open !== undefined)
      this.diagnostics.problem(place, 'expression', "'${' is never closed", { offset: value.length - open.length });
    const [, name] = /^([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[\d+\])+$/.exec(value) ?? [];
    const packs = [...this.packs.values()];
    const isName = packs.some(
      ({ causes, eventTypes, operations }) =>
        causes.has(value) || eventTypes.includes(value) || operations.some(({ key }) => key === value),
    );
    // A path of an expansion isn't reported: it begins with a field, which may have the same name as a saved value.
    const isPath = packs.some(
      ({ model: { settings } }) => settings.expansion !== null && place.path.includes(settings.expansion.param),
    );
    if (name === undefined || !kept.has(name) || isName || isPath) return;
    this.diagnostics.warning(place, 'no-expression', `this is the text '${value}', not a value that was kept`, {
      suggestion: `\${${value}}`,
    });
  }

  #collection(name: string, place: SourceLocation): void {
    this.#known('resource', name, ({ model }) => model.byCollection.keys(), place);
  }

  #known(what: NamedInPack, text: string, known: (pack: Program) => Iterable<string>, place: SourceLocation): void {
    const [vendor] = this.packs.has(ONLY) ? [ONLY] : text.split('/', 1);
    const pack = this.packs.get(vendor);
    if (!pack) return this.#noPack(vendor, place);
    const names = [...known(pack)].map((name) => (vendor === ONLY ? name : `${vendor}/${name}`));
    this.diagnostics.known(place, what, text, names);
  }

  #noPack(vendor: string, place: SourceLocation): void {
    const names = [...this.packs.keys()].filter((name) => name !== ONLY);
    const message =
      names.length === 0
        ? 'the only pack has no name here'
        : `names begin with ${names.map((each) => `${each}/`).join(' or ')}`;
    const suggestion = suggest(vendor, names);
    this.diagnostics.problem(place, 'unknown-name', `there is no pack '${vendor}': ${message}`, { suggestion });
  }
}
