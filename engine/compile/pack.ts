import { lazy } from '../values/index.js';
import {
  type BrowserFile,
  type CausesFile,
  type GraphqlFile,
  inside,
  keyIn,
  type MagicFile,
  type McpFile,
  type Model,
  type PackFile,
  type PageFile,
  type ResourceDef,
  type ScenariosFile,
} from '../model/index.js';
import type { Cause, Dependent, BrowserPage, Program, ResourceProgram, Scenario } from '../program/index.js';
import { linkBrowser } from './browser.js';
import { linkClient } from './client.js';
import { checkPackages } from './packages.js';
import { linkSmtp } from './smtp.js';
import { linkStart } from './start.js';
import { linkCauses } from './causes.js';
import type { Compiler, Flow } from './context.js';
import { ObjectDefaults } from './defaults.js';
import { compileDelivery } from './delivery/plan.js';
import { compileEnvelopes } from './envelopes.js';
import { flowFunction } from './flow-functions.js';
import { linkEventKinds, linkEventMaker } from './event-makers.js';
import { LinkedFacts } from './facts.js';
import { linkFlows } from './flows.js';
import { compileInitial } from './initial.js';
import { linkMagic } from './magic.js';
import { compileHeaders } from './headers.js';
import { linkGraphql } from './graphql.js';
import { checkReplies } from './message.js';
import { linkMcp } from './mcp.js';
import type { Targets } from './page-forms.js';
import { linkPage } from './pages.js';
import { compileSteps } from './steps/index.js';
import { linkProgram } from './resources.js';
import { compileRateLimits } from './rate-limits.js';
import { linkDependents } from './references.js';
import { linkOtherPaths, linkRouteIds } from './other-paths.js';
import { compileRoutes } from './routes.js';
import { linkScenarios } from './scenarios.js';
import { linkSeeds } from './named-seeds.js';
import { linkSearches } from './searches.js';
import { linkSignatures } from './signatures.js';
import { seedOrder } from './seeded.js';
import { compileTenants } from './tenants.js';
import { compileTimes } from './times.js';
import { compileActor, compileTokens } from './tokens.js';
import { linkUnsupported } from './unsupported.js';
import { type LinkedVersions, linkVersions, paramsOfVersions } from './versions/index.js';

/** A program with the parts of its compilation that its check needs. */
export interface CompiledPack extends Program {
  readonly compiler: Compiler;
  readonly flows: ReadonlyMap<string, Flow>;
  readonly versions: LinkedVersions | null;
  readonly facts: LinkedFacts | null;
}

/**
 * Compiles a pack: links all of its parts. Problems go to the model's list; `checkPack` finds the rest.
 * @param passed whether the pack passed its check before: parts that a start doesn't need are then linked on first use
 */
export function compilePack(model: Model, passed = false): CompiledPack {
  const flows = new Map<string, Flow>();
  const programs: ResourceProgram[] = [];
  const defaults = new Map<ResourceDef, ObjectDefaults>();
  const eventOwners = new Map<string, ResourceDef>();
  const dependents = new Map<number, readonly Dependent[]>();
  for (const def of model.resources) {
    for (const name of Object.keys(def.file.events ?? {})) {
      if (eventOwners.has(name))
        model.diagnostics.problem(
          keyIn(def.place, 'events', name),
          'duplicate-event',
          `event '${name}' is declared twice`,
        );
      eventOwners.set(name, def);
    }
  }
  const compiler: Compiler = {
    passed,
    model,
    diagnostics: model.diagnostics,
    env: model.env,
    flows,
    eventOwners,
    dependents,
    programs,
    used: { flows: new Set(), calls: [], errors: new Set(), events: new Set(), durations: model.usedDurations },
    steps: compileSteps,
    defaults: (def) => {
      let found = defaults.get(def);
      if (found === undefined) defaults.set(def, (found = new ObjectDefaults(model, def)));
      return found;
    },
    paramsOfVersions: (key) => added(key),
  };
  for (const [index, each] of linkDependents(compiler)) dependents.set(index, each);
  const added = paramsOfVersions(compiler);
  for (const [name, flow] of linkFlows(model.source, compiler)) {
    flows.set(name, flow);
    model.env.flows.set(name, flowFunction(flow, compiler));
  }
  linkSearches(compiler);
  for (const def of model.resources) programs.push(linkProgram(def, compiler));
  const causesFile = model.source.one('causes');
  const magicFile = model.source.one('magic');
  const scenariosFile = model.source.one('scenarios');
  const causes = causesFile
    ? linkCauses(causesFile.data as CausesFile, { file: causesFile, path: [] }, compiler)
    : new Map<string, Cause>();
  checkReplies(causes, compiler);
  const operations = programs.flatMap((program) => [...program.operations.values()]);
  const targets = { causes, operations: new Map(operations.map((each) => [each.key, each])) };
  const pages = linkPages(targets, compiler);
  const browserFile = model.source.one('browser');
  const browser = browserFile
    ? linkBrowser(browserFile.data as BrowserFile, { file: browserFile, path: [] }, operations, pages, compiler)
    : null;
  const graphqlFile = model.source.one('graphql');
  const mcpFile = model.source.one('mcp');
  const factsFile = model.source.one('facts');
  const packFile = model.packPlace.file.data as PackFile;
  const outside = linkUnsupported(packFile.outside ?? [], inside(model.packPlace, 'outside'), operations, compiler);
  const delivery = lazy(() => compileDelivery(causes, compiler));
  const smtp = lazy(() => linkSmtp(packFile, inside(model.packPlace, 'smtp'), operations, compiler));
  const client = lazy(() => linkClient(packFile, inside(model.packPlace, 'client'), operations, compiler));
  const start = lazy(() => linkStart(packFile, inside(model.packPlace, 'start'), operations, compiler));
  const versions = linkVersions(operations, compiler);
  const made: CompiledPack = {
    model,
    compiler,
    resources: programs,
    initial: compileInitial(compiler),
    seedOrder: seedOrder(model),
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
    seeds: linkSeeds(compiler),
    eventMaker: linkEventMaker(compiler),
    eventKinds: linkEventKinds(compiler),
    eventTypes: [...eventOwners.keys()],
    flows,
    routeIds: linkRouteIds(packFile.routes?.ids ?? {}, operations, inside(model.packPlace, 'routes', 'ids'), compiler),
    otherPaths: linkOtherPaths(packFile.routes?.also ?? [], inside(model.packPlace, 'routes', 'also'), compiler),
    routes: compileRoutes(operations, pages, browser, outside.paths, compiler),
    pages,
    browser,
    envelopes: compileEnvelopes(model),
    headers: compileHeaders(model),
    tokens: compileTokens(compiler),
    signatures: linkSignatures(compiler),
    actor: compileActor(compiler),
    tenants: compileTenants(operations, compiler),
    times: compileTimes(operations, compiler),
    rateLimits: compileRateLimits(operations, compiler),
    delivery,
    unsupported: outside.paths,
    otherHosts: outside.hosts,
    outsideAtTimes: outside.atTimes,
    facts: factsFile ? new LinkedFacts({ file: factsFile, path: [] }, compiler, versions) : null,
    client,
    start,
    mcp: mcpFile ? linkMcp(mcpFile.data as McpFile, { file: mcpFile, path: [] }, operations, compiler) : null,
    graphql: graphqlFile
      ? linkGraphql(graphqlFile.data as GraphqlFile, { file: graphqlFile, path: [] }, operations, compiler)
      : null,
    smtp,
    versions,
  };
  // Headers of other responses are compiled here only to report their problems.
  if (!passed) compileHeaders(model, model.settings.otherHeaders);
  if (!passed) checkPackages(packFile, inside(model.packPlace, 'packages'), compiler);
  if (!passed) for (const late of [delivery, client, start, smtp]) late();
  return made;
}

function linkPages(targets: Targets, compiler: Compiler): BrowserPage[] {
  const names = new Set<string>();
  return compiler.model.source.all('page').flatMap((file) => {
    const place = { file, path: [] };
    const page = linkPage(file.data as PageFile, place, targets, compiler);
    if (page && names.has(page.name))
      compiler.diagnostics.problem(inside(place, 'page'), 'duplicate-page', `two pages are called '${page.name}'`);
    if (page) names.add(page.name);
    return page ?? [];
  });
}
