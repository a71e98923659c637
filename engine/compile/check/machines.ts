import { MACHINE } from '../../codes.js';
import { lostStates } from '../../machine/index.js';
import { inside, keyIn, isStep, type ResourceDef } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';
import { allSteps } from './walk.js';

/**
 * Warns of unreachable parts of machines: triggers that no step sends, states with transitions that are never left, rejections
 * of unknown triggers, and unused guards, delays and actions.
 */
export function checkMachines(pack: CompiledPack): void {
  const sent = new Set(allSteps(pack).flatMap(({ step }) => (isStep(step, 'send') ? [step.send] : [])));
  for (const def of pack.model.resources) {
    checkRejections(def, pack);
    checkParts(def, pack);
    if (!def.machine || !def.file.machine) continue;
    for (const { path, code, message } of lostStates(def.file.machine))
      pack.model.diagnostics.problem(inside(def.place, 'machine', ...path), MACHINE[code], message);
    checkTriggers(def, sent, pack);
    checkTraps(def, pack);
  }
}

function checkRejections(def: ResourceDef, { model }: CompiledPack): void {
  const triggers = def.machine?.triggers() ?? [];
  for (const trigger of Object.keys(def.file.refusals ?? {})) {
    if (def.file.machine && !def.machine) continue;
    model.diagnostics.known(keyIn(def.place, 'refusals', trigger), 'trigger', trigger, triggers);
  }
}

function checkParts(def: ResourceDef, { model }: CompiledPack): void {
  if (def.file.machine && !def.machine) return;
  for (const what of ['guard', 'action', 'delay'] as const) {
    const kind = `${what}s` as const;
    const waits = what === 'delay' ? Object.values(def.file.waits ?? {}).map(({ after }) => after) : [];
    const used = [...(def.machine?.[kind] ?? []), ...waits];
    for (const name of Object.keys(def.file[kind] ?? {})) {
      if (used.includes(name)) continue;
      const message = def.machine
        ? `the machine never names ${what} '${name}'`
        : `there is no machine that could name ${what} '${name}'`;
      model.diagnostics.warning(keyIn(def.place, kind, name), `unused-${what}`, message);
    }
  }
}

function checkTriggers(def: ResourceDef, sent: ReadonlySet<string>, { model }: CompiledPack): void {
  const nodes = [
    { on: def.file.machine?.on, path: ['machine'] },
    ...Object.entries(def.file.machine?.states ?? {}).map(([name, state]) => ({
      on: state?.on,
      path: ['machine', 'states', name],
    })),
  ];
  const reported = new Set<string>();
  for (const { on, path } of nodes) {
    for (const trigger of Object.keys(on ?? {})) {
      if (sent.has(trigger) || reported.has(trigger)) continue;
      reported.add(trigger);
      const place = inside(def.place, ...path, 'on', trigger);
      model.diagnostics.warning(keyIn(place), 'trigger-never-sent', `no step sends '${trigger}'`, {
        suggestion: model.env.suggest(
          trigger,
          [...sent].filter((each) => !def.machine?.triggers().includes(each)),
        ),
      });
    }
  }
}

/** Warns of states that the machine can't leave although they have transitions. */
function checkTraps(def: ResourceDef, { model }: CompiledPack): void {
  const config = def.file.machine;
  if (!config) return;
  const general = waysOf(config.on);
  for (const [name, state] of Object.entries(config.states)) {
    if (!state || state.type === 'final') continue;
    const declared = [
      ...Object.keys(state.on ?? {}),
      ...Object.keys(state.after ?? {}),
      ...(state.always ? ['always'] : []),
    ];
    if (declared.length === 0) continue;
    const ways = [...waysOf(state.on), ...waysOf(state.after), ...targetsOf(state.always), ...general];
    if (ways.some((target) => target !== name)) continue;
    const idle = Object.values(state.on ?? {}).every((way) =>
      targetsOf(way).every((target) => target === name || target === ''),
    );
    // A state whose only transitions stay in it isn't reported, since it is final on purpose.
    if (idle && !state.after && !state.always) continue;
    model.diagnostics.warning(
      keyIn(def.place, 'machine', 'states', name),
      'inescapable-state',
      `nothing ever leaves '${name}', although it declares transitions`,
    );
  }
}

function waysOf(ways: Readonly<Record<string, unknown>> | undefined): string[] {
  return Object.values(ways ?? {}).flatMap(targetsOf);
}

/** The target states of a transition, in any of its forms; '' means that the state doesn't change. */
function targetsOf(way: unknown): string[] {
  if (way == null) return [];
  if (typeof way === 'string') return [way.replace(/^\./, '')];
  if (Array.isArray(way)) return way.flatMap(targetsOf);
  const target: unknown = typeof way === 'object' && 'target' in way ? way.target : undefined;
  return [typeof target === 'string' ? target.replace(/^\./, '') : ''];
}

/** States that are initial or the target of some transition. */
export function enteredStates(def: ResourceDef): ReadonlySet<string> {
  const config = def.file.machine;
  if (!config) return new Set();
  const all = [config, ...Object.values(config.states)].flatMap((node) => {
    const state = node as {
      readonly on?: Readonly<Record<string, unknown>>;
      readonly after?: Readonly<Record<string, unknown>>;
      readonly always?: unknown;
    } | null;
    return [...Object.values(state?.on ?? {}), ...Object.values(state?.after ?? {}), state?.always].flatMap(targetsOf);
  });
  return new Set([config.initial, ...all]);
}
