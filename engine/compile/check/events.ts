import { inside, type ResourceDef } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';
import { allSteps } from './walk.js';

/** What a pack does with objects of its resources. */
interface Deeds {
  readonly created: ReadonlySet<string>;
  readonly deletes: boolean;
  readonly sets: boolean;
}

/** Warns of events whose moment never comes. */
export function reviewEvents(pack: CompiledPack): void {
  const { model, compiler } = pack;
  const steps = allSteps(pack);
  const deeds: Deeds = {
    created: new Set(steps.flatMap(({ step }) => (typeof step['create'] === 'string' ? [step['create']] : []))),
    deletes: steps.some(({ step }) => 'delete' in step),
    sets: steps.some(({ step }) => 'set' in step),
  };
  for (const def of model.resources) {
    for (const [name, event] of Object.entries(def.file.events ?? {})) {
      const place = inside(def.place, 'events', name);
      const emitted = compiler.used.events.has(name);
      const warn = (message: string): void =>
        model.linking.problem(place, 'event-never-emitted', message, { at: 'key', severity: 'warning' });
      if (event.emit === true && !event.on && !event.enter && !emitted) {
        warn(`no step emits '${name}'`);
      } else if (event.on === 'created' && !emitted && !creates(def, deeds)) {
        warn(`'${name}' is never emitted: nothing creates a ${def.title}`);
      } else if (event.on === 'deleted' && !emitted && !kinds(def).includes('delete') && !deeds.deletes) {
        warn(`'${name}' is never emitted: nothing deletes a ${def.title}`);
      } else if (event.on === 'updated' && !emitted && !kinds(def).includes('update') && !deeds.sets) {
        warn(`'${name}' is never emitted: nothing updates a ${def.title}`);
      }
    }
  }
  reviewUsesOfEvents(pack);
}

function creates(def: ResourceDef, deeds: Deeds): boolean {
  return deeds.created.has(def.name) || kinds(def).includes('create');
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

/** The pattern of events that carry previous attributes must mean some event. */
function reviewUsesOfEvents({ model, compiler }: CompiledPack): void {
  const file = model.source.one('pack');
  const pattern = model.settings.events?.previousAttributes;
  if (!file || !pattern || [...compiler.eventOwners.keys()].some((name) => pattern.test(name))) return;
  model.linking.problem(
    { file, path: ['events', 'previous_attributes'] },
    'unknown-event',
    'no event has such a name',
    { severity: 'warning' },
  );
}
