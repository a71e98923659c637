import type { CompanyStep, CompanyPlan, CompanyActor } from './program.js';
import {
  type ActorFile,
  type ActorsFile,
  type BeginningFile,
  type CompanyIdentity,
  Diagnostics,
  keyIn,
  type SourceLocation,
  type SourcePath,
  typeOfShown,
} from '../model/index.js';
import { ANY, objectType, STRING, type Type } from '../expression/index.js';
import { type Problem, ProblemList, suggest } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { parseDuration } from '../world/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import { type ReadCompany, requireNone } from './file.js';
import { DRAWN } from './actors.js';
import { FileNames, PERSON, typeOfEvent, typeOfPeople } from './names.js';
import type { CompanyRule } from './rules.js';
import { FileValues, type KnownNames, type Names, type Value } from './values.js';

/**
 * Checks a company file against its packs, and compiles it.
 * @param programs by the packs' names in the company
 * @throws PackInvalid
 */
export function planOf({ file, data, source }: ReadCompany, programs: ReadonlyMap<string, Program>): CompanyPlan {
  const problems = new ProblemList();
  const diagnostics = new Diagnostics(problems);
  const names = new FileNames(file.path, { file, path: [] }, diagnostics, programs, null);
  const plan = new PlanMaker(names, diagnostics).make(data);
  requireNone(problems.all, source);
  return plan;
}

/** Problems of a pack's actors.yaml besides those of its schema; empty if it has none. @returns problems with locations */
export function actorProblems(program: Program): readonly Problem[] {
  const problems = new ProblemList();
  actorsOf(program, program.model.settings.name, new Diagnostics(problems));
  return problems.all;
}

/** The actors of a pack and their initial steps, for a company in which the pack has a name; null if it has none. */
function actorsOf(
  program: Program,
  vendor: string,
  diagnostics: Diagnostics,
): { readonly steps: readonly CompanyStep[]; readonly actors: readonly CompanyActor[] } | null {
  const file = program.model.source.one('actors');
  if (!file || file.broken) return null;
  const top: SourceLocation = { file, path: [] };
  const names = new FileNames(file.path, top, diagnostics, new Map([[vendor, program]]), vendor);
  const maker = new PlanMaker(names, diagnostics, vendor);
  return maker.actorsOf(file.data as ActorsFile);
}

class PlanMaker {
  /** Types of the names that earlier steps save. */
  readonly #known = new Map<string, Type>([['people', ANY]]);

  /** @param own the vendor of all names, which are written without it and saved in a map of their own; null: names have one */
  constructor(
    private readonly names: FileNames,
    private readonly diagnostics: Diagnostics,
    private readonly own: string | null = null,
  ) {}

  /** Compiles a pack's actors file. */
  actorsOf({ begin = [], actors }: ActorsFile): ReturnType<typeof actorsOf> {
    const steps = this.#begin(begin);
    return { steps, actors: Object.entries(actors).map(([name, actor]) => this.#actor(name, actor)) };
  }

  make({
    company,
    title = company,
    vendors,
    people = {},
    identities = {},
    seeds = {},
    begin = [],
    rules = {},
    actors = {},
  }: ReadCompany['data']): CompanyPlan {
    const steps: CompanyStep[] = [];
    this.#known.set('people', typeOfPeople(people));
    for (const [vendor, { seeds: name }] of Object.entries(vendors))
      if (name !== undefined) steps.push(...this.#namedSeed(vendor, name));
    for (const [vendor, { endpoints = [] }] of Object.entries(vendors))
      for (const [at, url] of endpoints.entries())
        steps.push({ kind: 'endpoint', place: this.names.placeOf(['vendors', vendor, 'endpoints', at]), vendor, url });
    for (const [collection, objects] of Object.entries(seeds)) steps.push(...this.#seeds(collection, objects));
    for (const [key, { is = {}, name, email = null }] of Object.entries(people))
      for (const [vendor, role] of Object.entries(is))
        steps.push(
          ...this.#person({ key, name, email }, vendor, identities[vendor][role], ['identities', vendor, role]),
        );
    steps.push(...this.#begin(begin));
    const brought: CompanyActor[] = [];
    for (const [vendor, { actors: names = [] }] of Object.entries(vendors)) {
      const found = this.#brought(vendor, names);
      // The initial steps of packs' actors come last, so that they don't affect the ids of the file's own steps.
      steps.push(...found.steps);
      brought.push(...found.actors);
    }
    const known = Object.fromEntries(
      Object.entries(people).map(([key, { is: _is, ...person }]) => [key, { key, ...person }]),
    );
    return {
      name: company,
      title,
      people: known,
      steps,
      rules: Object.entries(rules).flatMap(([name, rule]) => this.#rule(name, rule)),
      actors: [...Object.entries(actors).map(([name, actor]) => this.#actor(name, actor)), ...brought],
    };
  }

  #begin(begin: readonly BeginningFile[]): CompanyStep[] {
    return begin.flatMap(({ call, cause, with: given = {}, as }, index) => {
      const at = ['begin', index];
      const steps =
        call !== undefined
          ? this.#call(call, given, at, (response, names) => void (as !== undefined && this.#keep(names, as, response)))
          : this.#cause(cause ?? '', given, at);
      if (as !== undefined) this.#known.set(as, ANY);
      return steps;
    });
  }

  /** Returns the actors of a pack that the company file uses, with their initial steps. */
  #brought(vendor: string, names: readonly string[]): NonNullable<ReturnType<typeof actorsOf>> {
    const program = this.names.programs.get(vendor);
    if (!program || names.length === 0) return { steps: [], actors: [] };
    const { steps, actors } = actorsOf(program, vendor, this.diagnostics) ?? { steps: [], actors: [] };
    const chosen = names.flatMap((name, index) => {
      const actor = actors.find((each) => each.name === `${vendor}/${name}`);
      if (actor) return [actor];
      const known = actors.map((each) => each.name.slice(vendor.length + 1));
      const place = this.names.at(['vendors', vendor, 'actors', index]);
      this.diagnostics.problem(place, 'unknown-name', `${vendor} brings no actor '${name}'`, {
        suggestion: suggest(name, known),
      });
      return [];
    });
    return { steps, actors: chosen };
  }

  #actor(name: string, { every, most = Infinity, of, where, choose = {}, do: acts }: ActorFile): CompanyActor {
    const at = ['actors', name];
    const everyMs = parseDuration(every) ?? 0;
    if (everyMs === 0)
      this.diagnostics.problem(
        this.names.at([...at, 'every']),
        'invalid-value',
        'invalid duration: write `2d` or `90m`',
      );
    const subject = of === undefined ? null : this.names.subject(of, [...at, 'of']);
    const self = subject ? typeOfShown(subject.resource.schema.fields) : ANY;
    const known = new Map<string, Type>([
      ...(of === undefined ? [] : [['self', self] as const]),
      ['drawn', DRAWN],
      ['chosen', objectType(Object.keys(choose).map((each) => [each, STRING] as const))],
      ...this.#known,
    ]);
    if (where !== undefined && of === undefined)
      this.diagnostics.problem(
        this.names.at([...at, 'where']),
        'invalid-value',
        "'where' is about the objects of 'of'",
      );
    const holds =
      where === undefined || !subject
        ? null
        : this.#values(known).condition(this.names.at([...at, 'where']), where, subject.program);
    const done = acts.flatMap(({ call, cause, with: given = {}, as, if: condition, chance: percent = 100 }, index) => {
      const here = [...at, 'do', index];
      const values = this.#values(known);
      const steps =
        call !== undefined
          ? this.#call(
              call,
              given,
              here,
              (value, names) => void (as !== undefined && this.#keep(names, as, value)),
              values,
            )
          : this.#cause(cause ?? '', given, here, values);
      const program = steps.length > 0 ? this.names.programs.get(steps[0].vendor) : undefined;
      const isDone =
        condition === undefined || !program
          ? null
          : values.condition(this.names.at([...here, 'if']), condition, program);
      if (as !== undefined) known.set(as, ANY);
      return steps.map((step) => ({ step, holds: isDone, percent }));
    });
    const whole = this.own === null ? name : `${this.own}/${name}`;
    return {
      name: whole,
      everyMs,
      most,
      of: subject && { vendor: subject.vendor, resource: subject.resource.index, holds },
      choose,
      acts: done,
    };
  }

  #rule(
    name: string,
    { when, if: condition, do: actions }: NonNullable<ReadCompany['data']['rules']>[string],
  ): CompanyRule[] {
    const at = ['rules', name];
    const source = this.names.named(when, [...at, 'when'], 'event', ({ eventTypes }) => eventTypes);
    const values = new FileValues(
      new Map([['event', source ? typeOfEvent(source.program, source.name) : ANY], ...this.#known]),
      this.diagnostics,
    );
    const done = actions.map(({ cause, with: given = {} }, index) => {
      const here = [...at, 'do', index];
      const target = this.names.causeOf(cause, given, here);
      return (
        target && {
          vendor: target.vendor,
          cause: target.name,
          given: values.template(this.names.at([...here, 'with']), given, target.program),
        }
      );
    });
    if (!source) return [];
    const holds =
      condition === undefined ? null : values.condition(this.names.at([...at, 'if']), condition, source.program);
    return [
      { name, vendor: source.vendor, event: source.name, holds, actions: done.filter((each) => each !== undefined) },
    ];
  }

  #person(
    person: JsonObject,
    vendor: string,
    { call, cause, seed, with: given = {} }: CompanyIdentity,
    at: SourcePath,
  ): CompanyStep[] {
    const program = this.names.programs.get(vendor);
    if (!program) return [];
    const remember = (object: Json, names: Names): void => {
      const known = (names['people'] as JsonObject)[String(person['key'])] as Record<string, Json>;
      known[vendor] = object;
    };
    const values = new FileValues(new Map([['person', PERSON], ...this.#known]), this.diagnostics);
    if (call !== undefined) return this.#call(`${vendor}/${call}`, given, at, remember, values, person);
    if (cause !== undefined) return this.#cause(`${vendor}/${cause}`, given, at, values, person);
    const collection = seed ?? '';
    if (!this.names.collection(program, collection, this.names.at([...at, 'seed']))) return [];
    const fields = this.#given(given, at, program, values, person);
    const place = this.names.placeOf(at);
    return [{ kind: 'seed', place, vendor, fields, keep: remember, body: () => ({ resource: collection }) }];
  }

  #call(
    text: string,
    given: JsonObject,
    at: SourcePath,
    keeps: (response: Json, names: Names) => void,
    values = this.#values(this.#known),
    person?: JsonObject,
  ): CompanyStep[] {
    const found = this.names.named(text, [...at, 'call'], 'operation', ({ operations }) =>
      operations.map(({ key }) => key),
    );
    if (!found) return [];
    return [
      {
        kind: 'call',
        place: this.names.placeOf(at),
        vendor: found.vendor,
        operation: found.name,
        given: this.#given(given, at, found.program, values, person),
        keep: keeps,
      },
    ];
  }

  #cause(
    text: string,
    given: JsonObject,
    at: SourcePath,
    values = this.#values(this.#known),
    person?: JsonObject,
  ): CompanyStep[] {
    const found = this.names.causeOf(text, given, at);
    if (!found) return [];
    return [
      {
        kind: 'cause',
        place: this.names.placeOf(at),
        vendor: found.vendor,
        cause: found.name,
        given: this.#given(given, at, found.program, values, person),
      },
    ];
  }

  /** Compiles the arguments of a step: texts with names, including the step's person. */
  #given(given: JsonObject, at: SourcePath, program: Program, values: FileValues, person?: JsonObject): Value {
    const value = values.template(this.names.at([...at, 'with']), given, program);
    return person ? (names, engine) => value({ ...names, person }, engine) : value;
  }

  #namedSeed(vendor: string, name: string): CompanyStep[] {
    const at = ['vendors', vendor, 'seeds'];
    const seeds = [...(this.names.programs.get(vendor)?.seeds().keys() ?? [])];
    if (!seeds.includes(name)) {
      this.diagnostics.problem(this.names.at(at), 'unknown-name', `${vendor} has no seed data '${name}'`, {
        suggestion: suggest(name, seeds),
      });
      return [];
    }
    return [{ kind: 'seed', place: this.names.placeOf(at), vendor, body: () => ({ name }) }];
  }

  #seeds(text: string, objects: readonly Json[]): CompanyStep[] {
    const at = ['seeds', text];
    const [vendor, collection = ''] = text.split('/');
    const program = this.names.programs.get(vendor);
    if (!program) {
      this.names.noVendor(vendor, keyIn(this.names.at(at)));
      return [];
    }
    if (!this.names.collection(program, collection, keyIn(this.names.at(at)))) return [];
    return [{ kind: 'seed', place: this.names.placeOf(at), vendor, body: () => ({ resource: collection, objects }) }];
  }

  #values(known: KnownNames): FileValues {
    return new FileValues(known, this.diagnostics, this.own === null ? (names) => names : this.#ofOwn);
  }

  /** The names visible to a pack's file: its own saved names, separate from those of the company and other packs. */
  readonly #ofOwn = (names: Names): Names => ({ ...names, ...keptBy(names, this.own ?? '') });

  #keep(names: Names, name: string, value: Json): void {
    if (this.own === null) return keep(names, name, value);
    const own = { ...keptBy(names, this.own) };
    keep(own, name, value);
    // Copies the map by pack, which an actor's `names` share with those of the company.
    (names as Record<string, Json>)[BY_PACK] = { ...(names[BY_PACK] as JsonObject | undefined), [this.own]: own };
  }
}

/** The names that a pack's file saved. */
function keptBy(names: Names, vendor: string): JsonObject {
  return ((names[BY_PACK] ?? {}) as Record<string, JsonObject>)[vendor] ?? {};
}

/** The key under which each pack's saved responses are stored; no name in a file can equal it. */
const BY_PACK = 'by-pack';

function keep(names: Names, name: string, value: Json): void {
  (names as Record<string, Json>)[name] = isObject(value) || Array.isArray(value) ? value : { value };
}
