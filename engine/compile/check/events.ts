import { withArticle } from '../../expression/index.js';
import { inside, keyIn, isStep, type ResourceDef } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';
import { allSteps } from './walk.js';

/** Effects of a pack's steps on objects of its resources. */
interface StepEffects {
  readonly created: ReadonlySet<string>;
  readonly deletes: boolean;
  readonly sets: boolean;
  readonly sends: boolean;
}

/** Warns of events that are never emitted. */
export function checkEvents(pack: CompiledPack): void {
  const { model, compiler } = pack;
  const steps = allSteps(pack);
  const effects: StepEffects = {
    created: new Set(steps.flatMap(({ step }) => (isStep(step, 'create') ? [step.create] : []))),
    deletes: steps.some(({ step }) => isStep(step, 'delete')),
    sets: steps.some(({ step }) => isStep(step, 'set')),
    sends: steps.some(({ step }) => isStep(step, 'send')),
  };
  for (const def of model.resources) {
    if (def.file.events !== undefined && model.settings.events === null)
      model.diagnostics.warning(
        keyIn(def.place, 'events'),
        'no-events',
        'no event is ever made: pack.yaml says by no `events` what they are',
      );
    for (const [name, event] of Object.entries(def.file.events ?? {})) {
      const place = inside(def.place, 'events', name);
      const emitted = compiler.used.events.has(name);
      const warn = (message: string): void => model.diagnostics.warning(keyIn(place), 'event-never-emitted', message);
      if (event.emit === true && !event.on && !event.enter && !emitted) {
        warn(`no step emits '${name}'`);
      } else if (event.on === 'created' && !emitted && !creates(def, effects)) {
        warn(`'${name}' is never emitted: nothing creates ${withArticle(def.title)}`);
      } else if (
        event.on === 'deleted' &&
        !emitted &&
        !kinds(def).includes('delete') &&
        !effects.deletes &&
        !follows(def, 'cascade', pack)
      ) {
        warn(`'${name}' is never emitted: nothing deletes ${withArticle(def.title)}`);
      } else if (event.on === 'updated' && !emitted && !kinds(def).includes('update') && !follows(def, 'clear', pack)) {
        const hint = effects.sets ? '; `on: changed` is for all steps that change one' : '';
        warn(`'${name}' is never emitted: no \`update\` operation updates ${withArticle(def.title)}${hint}`);
      } else if (
        event.on === 'changed' &&
        !kinds(def).includes('update') &&
        !effects.sets &&
        !effects.sends &&
        !follows(def, 'clear', pack)
      ) {
        warn(`'${name}' is never emitted: nothing changes ${withArticle(def.title)}`);
      }
    }
  }
  checkUsesOfEvents(pack);
}

/** Whether deleting an object deletes or changes objects of a resource that refer to it. */
function follows({ index }: ResourceDef, rule: 'cascade' | 'clear', { compiler }: CompiledPack): boolean {
  return [...compiler.dependents.values()].flat().some((each) => each.resource === index && each.rule === rule);
}

function creates(def: ResourceDef, effects: StepEffects): boolean {
  return effects.created.has(def.name) || kinds(def).includes('create');
}

/** The kinds of a resource's operations. */
function kinds(def: ResourceDef): string[] {
  const { operations } = def.file;
  if (operations === undefined) return [];
  if (Array.isArray(operations)) return [...(operations as readonly string[])];
  return Object.entries(operations as Readonly<Record<string, { readonly kind?: string } | null>>).map(
    ([name, file]) => file?.kind ?? name,
  );
}

/** Reports a pattern of events with previous attributes that matches no event. */
function checkUsesOfEvents({ model, compiler }: CompiledPack): void {
  const names = [...compiler.eventOwners.keys()];
  const patterns = model.settings.events?.previousAttributes ?? [];
  if (patterns.every((pattern) => names.some((name) => pattern.test(name)))) return;
  model.diagnostics.warning(
    inside(model.packPlace, 'events', 'previous_attributes'),
    'unknown-event',
    'no event has such a name',
  );
}
