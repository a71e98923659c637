import { ANY, type Frame, frameOf, type Json, type JsonObject, mapOf, STRING } from '../expression/index.js';
import {
  type CausesFile,
  inside,
  type MagicFile,
  type Model,
  type PackFile,
  type PageFile,
  REQUEST_TYPE,
  type ResourceDef,
  type ScenariosFile,
} from '../model/index.js';
import {
  type Cause,
  type EventMaker,
  type Execution,
  lazy,
  type Page,
  type Program,
  type ResourceProgram,
  type Scenario,
} from '../program/index.js';
import { linkCauses } from './causes.js';
import { type Compiler, rootScope } from './context.js';
import { ObjectDefaults } from './defaults.js';
import { compileDelivery } from './delivery/plan.js';
import { compileEnvelopes } from './envelopes.js';
import { type Flow, linkFlows } from './flows.js';
import { linkMagic } from './magic.js';
import { compileHeaders } from './headers.js';
import { compileMaker } from './maker.js';
import { linkPage } from './pages.js';
import { compileSteps } from './steps/index.js';
import { linkProgram } from './resources.js';
import { compileRoutes } from './routes.js';
import { linkScenarios } from './scenarios.js';
import { linkUnsupported } from './unsupported.js';

/** A program with what checking it needs to know of how it was made. */
export interface CompiledPack extends Program {
  readonly compiler: Compiler;
  readonly flows: ReadonlyMap<string, Flow>;
}

/** Links everything that a pack does. Problems go to the model's list; `checkPack` finds the rest. */
export function compilePack(model: Model): CompiledPack {
  const flows = new Map<string, Flow>();
  const programs: ResourceProgram[] = [];
  const defaults = new Map<ResourceDef, ObjectDefaults>();
  const eventOwners = new Map<string, ResourceDef>();
  for (const def of model.resources) {
    for (const name of Object.keys(def.file.events ?? {})) {
      if (eventOwners.has(name))
        model.diagnostics.problem(
          inside(def.place, 'events', name),
          'duplicate-event',
          `event '${name}' is declared twice`,
          { at: 'key' },
        );
      eventOwners.set(name, def);
    }
  }
  const compiler: Compiler = {
    model,
    diagnostics: model.diagnostics,
    env: model.env,
    flows,
    eventOwners,
    programs,
    used: { flows: new Set(), errors: new Set(), events: new Set(), durations: model.usedDurations },
    steps: compileSteps,
    defaults: (def) => {
      let found = defaults.get(def);
      if (found === undefined) defaults.set(def, (found = new ObjectDefaults(model, def)));
      return found;
    },
  };
  for (const [name, flow] of linkFlows(model.source, compiler)) flows.set(name, flow);
  for (const def of model.resources) programs.push(linkProgram(def, compiler));
  const causesFile = model.source.one('causes');
  const magicFile = model.source.one('magic');
  const scenariosFile = model.source.one('scenarios');
  const causes = causesFile
    ? linkCauses(causesFile.data as CausesFile, { file: causesFile, path: [] }, compiler)
    : new Map<string, Cause>();
  const operations = programs.flatMap((program) => [...program.operations.values()]);
  const pages = linkPages(causes, compiler);
  const unsupported = linkUnsupported(
    (model.packPlace.file.data as PackFile).outside ?? [],
    inside(model.packPlace, 'outside'),
    compiler,
  );
  return {
    model,
    compiler,
    resources: programs,
    operations,
    causes,
    magic: linkMagic(
      magicFile?.data as MagicFile | undefined,
      { file: magicFile ?? model.packPlace.file, path: [] },
      compiler,
    ),
    scenarios: scenariosFile
      ? linkScenarios((scenariosFile.data as ScenariosFile).scenarios, { file: scenariosFile, path: [] }, compiler)
      : () => new Map<string, Scenario>(),
    eventMaker: linkEventMaker(compiler),
    eventTypes: [...eventOwners.keys()],
    flows,
    routes: compileRoutes(operations, pages, unsupported, compiler),
    pages,
    envelopes: compileEnvelopes(model),
    headers: compileHeaders(model),
    delivery: compileDelivery(compiler),
    unsupported,
    synthesizes: lazy(() => model.source.files.some(({ text }) => /\bsynthesize\s*\(/.test(text))),
  };
}

function linkPages(causes: ReadonlyMap<string, Cause>, compiler: Compiler): Page[] {
  const names = new Set<string>();
  return compiler.model.source.all('page').flatMap((file) => {
    const place = { file, path: [] };
    const page = linkPage(file.data as PageFile, place, causes, compiler);
    if (page && names.has(page.name))
      compiler.diagnostics.problem(inside(place, 'page'), 'duplicate-page', `two pages are called '${page.name}'`);
    if (page) names.add(page.name);
    return page ?? [];
  });
}

function linkEventMaker(compiler: Compiler): EventMaker | null {
  const { model, programs } = compiler;
  const { events } = model.settings;
  if (!events) return null;
  const place = inside(model.packPlace, 'events');
  const def = model.byName.get(events.resource);
  if (!def) {
    model.diagnostics.unknown(inside(place, 'resource'), 'resource', events.resource, model.byName.keys());
    return null;
  }
  const compiled = lazy(() => {
    const scope = rootScope();
    const slots = {
      type: scope.declare('type', STRING).slot,
      object: scope.declare('object', mapOf(ANY)).slot,
      snapshot: scope.declare('snapshot', ANY).slot,
      previous: scope.declare('previous', ANY).slot,
      request: scope.declare('request', REQUEST_TYPE).slot,
    };
    return { scope, slots, make: compileMaker({ compiler, scope }, def, { with: events.with }, inside(place)) };
  });
  return {
    resource: programs[def.index],
    check: () => void compiled(),
    make(
      execution: Execution,
      type: string,
      object: JsonObject,
      snapshot: Json,
      previous: Json,
      id: string,
    ): JsonObject {
      const { scope, slots, make } = compiled();
      const frame: Frame = frameOf(execution, scope.layout.size);
      frame[slots.type] = type;
      frame[slots.object] = object;
      frame[slots.snapshot] = snapshot;
      frame[slots.previous] = previous;
      frame[slots.request] =
        execution.internal > 0 ? { ...execution.request, id: null, idempotency_key: null } : execution.request;
      return make(frame, execution, id);
    },
  };
}
