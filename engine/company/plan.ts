import { type CompanyIdentity, Diagnostics, inside, type SourceLocation, type SourcePath } from '../model/index.js';
import { ProblemList, suggest } from '../pack/index.js';
import type { Program } from '../program/index.js';
import { parseDuration } from '../world/index.js';
import { isObject, type Json, type JsonObject } from '../values/index.js';
import { type ReadCompany, requireNone } from './file.js';
import type { CompanyActor } from './actors.js';
import type { CompanyRule } from './rules.js';
import { type Names, type Value, FileValues } from './values.js';

/** Something that happens before the first call. */
export type CompanyStep = { readonly place: string; readonly vendor: string } & (
  | {
      readonly kind: 'call';
      readonly operation: string;
      readonly given: Value;
      readonly keep: (response: Json, names: Names) => void;
    }
  | { readonly kind: 'cause'; readonly cause: string; readonly given: Value }
  | {
      readonly kind: 'seed';
      readonly body: (names: Names) => JsonObject;
      readonly fields?: Value;
      readonly keep?: (object: Json, names: Names) => void;
    }
);

/** What a company file says, compiled against its packs. */
export interface CompanyPlan {
  readonly name: string;
  readonly title: string;
  /** Where it begins: people by their keys. */
  readonly people: JsonObject;
  readonly steps: readonly CompanyStep[];
  readonly rules: readonly CompanyRule[];
  readonly actors: readonly CompanyActor[];
}

/** An operation, external event or event as a company file names it. */
interface NamedVendor {
  readonly vendor: string;
  readonly program: Program;
  readonly name: string;
}

/**
 * Checks what a company file says against its packs, and compiles it.
 * @param programs by the names that the packs have in the company
 * @throws PackInvalid
 */
export function planOf({ file, data, source }: ReadCompany, programs: ReadonlyMap<string, Program>): CompanyPlan {
  const problems = new ProblemList();
  const plan = new PlanMaker(file.path, { file, path: [] }, new Diagnostics(problems), programs).make(data);
  requireNone(problems.all, source);
  return plan;
}

class PlanMaker {
  readonly #known = ['people'];

  constructor(
    private readonly path: string,
    private readonly top: SourceLocation,
    private readonly diagnostics: Diagnostics,
    private readonly programs: ReadonlyMap<string, Program>,
  ) {}

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
    for (const [vendor, { seeds: name }] of Object.entries(vendors))
      if (name !== undefined) steps.push(...this.#namedSeed(vendor, name));
    for (const [collection, objects] of Object.entries(seeds)) steps.push(...this.#seeds(collection, objects));
    for (const [key, { is = {}, name, email = null }] of Object.entries(people))
      for (const [vendor, role] of Object.entries(is))
        steps.push(
          ...this.#person({ key, name, email }, vendor, identities[vendor][role], ['identities', vendor, role]),
        );
    for (const [index, { call, cause, with: given = {}, as }] of begin.entries()) {
      const at = ['begin', index];
      if (call !== undefined)
        steps.push(
          ...this.#call(call, given, at, (response, names) => void (as !== undefined && keep(names, as, response))),
        );
      if (cause !== undefined) steps.push(...this.#cause(cause, given, at));
      if (as !== undefined) this.#known.push(as);
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
      actors: Object.entries(actors).map(([name, actor]) => this.#actor(name, actor)),
    };
  }

  #actor(
    name: string,
    { every, most = Infinity, of, where, choose = {}, do: acts }: NonNullable<ReadCompany['data']['actors']>[string],
  ): CompanyActor {
    const at = ['actors', name];
    const everyMs = parseDuration(every) ?? 0;
    if (everyMs === 0)
      this.diagnostics.problem(this.#at([...at, 'every']), 'invalid-value', 'this is no duration: write `2d` or `90m`');
    const known = ['self', 'drawn', 'chosen', ...this.#known];
    const subject = of === undefined ? null : this.#subject(of, [...at, 'of']);
    if (where !== undefined && of === undefined)
      this.diagnostics.problem(this.#at([...at, 'where']), 'invalid-value', "'where' is about the objects of 'of'");
    const holds =
      where === undefined || !subject
        ? null
        : new FileValues(known, this.diagnostics).condition(this.#at([...at, 'where']), where, subject.program);
    const done = acts.flatMap(({ call, cause, with: given = {}, as, if: condition, chance: percent = 100 }, index) => {
      const here = [...at, 'do', index];
      const values = new FileValues(known, this.diagnostics);
      const steps =
        call !== undefined
          ? this.#call(call, given, here, (value, names) => void (as !== undefined && keep(names, as, value)), values)
          : this.#cause(cause ?? '', given, here, values);
      const program = steps.length > 0 ? this.programs.get(steps[0].vendor) : undefined;
      const isDone =
        condition === undefined || !program ? null : values.condition(this.#at([...here, 'if']), condition, program);
      if (as !== undefined) known.push(as);
      return steps.map((step) => ({ step, holds: isDone, percent }));
    });
    return { name, everyMs, most, of: subject && { ...subject, holds }, choose, acts: done };
  }

  #subject(text: string, at: SourcePath): { vendor: string; collection: string; program: Program } | null {
    const cut = text.indexOf('/');
    const [vendor, collection] = [text.slice(0, cut), text.slice(cut + 1)];
    const program = this.programs.get(vendor);
    if (!program) {
      this.#noVendor(vendor, at);
      return null;
    }
    return this.#collection(program, collection, at) ? { vendor, collection, program } : null;
  }

  #rule(
    name: string,
    { when, if: condition, do: actions }: NonNullable<ReadCompany['data']['rules']>[string],
  ): CompanyRule[] {
    const at = ['rules', name];
    const source = this.#named(when, [...at, 'when'], 'event', ({ eventTypes }) => eventTypes);
    const values = new FileValues(['event', ...this.#known], this.diagnostics);
    const done = actions.map(({ cause, with: given = {} }, index) => {
      const here = [...at, 'do', index];
      const target = this.#causeOf(cause, given, here);
      return (
        target && {
          vendor: target.vendor,
          cause: target.name,
          given: values.template(this.#at([...here, 'with']), given, target.program),
        }
      );
    });
    if (!source) return [];
    const holds = condition === undefined ? null : values.condition(this.#at([...at, 'if']), condition, source.program);
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
    const program = this.programs.get(vendor);
    if (!program) return [];
    const remember = (object: Json, names: Names): void => {
      const known = (names['people'] as JsonObject)[String(person['key'])] as Record<string, Json>;
      known[vendor] = object;
    };
    const values = new FileValues(['person', ...this.#known], this.diagnostics);
    if (call !== undefined) return this.#call(`${vendor}/${call}`, given, at, remember, values, person);
    if (cause !== undefined) return this.#cause(`${vendor}/${cause}`, given, at, values, person);
    const collection = seed ?? '';
    if (!this.#collection(program, collection, [...at, 'seed'])) return [];
    const fields = bound(values.template(this.#at([...at, 'with']), given, program), person);
    const place = this.#placeOf(at);
    return [{ kind: 'seed', place, vendor, fields, keep: remember, body: () => ({ resource: collection }) }];
  }

  #call(
    text: string,
    given: JsonObject,
    at: SourcePath,
    keeps: (response: Json, names: Names) => void,
    values = new FileValues(this.#known, this.diagnostics),
    person?: JsonObject,
  ): CompanyStep[] {
    const found = this.#named(text, [...at, 'call'], 'operation', ({ operations }) => operations.map(({ key }) => key));
    if (!found) return [];
    const value = values.template(this.#at([...at, 'with']), given, found.program);
    return [
      {
        kind: 'call',
        place: this.#placeOf(at),
        vendor: found.vendor,
        operation: found.name,
        given: person ? bound(value, person) : value,
        keep: keeps,
      },
    ];
  }

  #cause(
    text: string,
    given: JsonObject,
    at: SourcePath,
    values = new FileValues(this.#known, this.diagnostics),
    person?: JsonObject,
  ): CompanyStep[] {
    const found = this.#causeOf(text, given, at);
    if (!found) return [];
    const value = values.template(this.#at([...at, 'with']), given, found.program);
    return [
      {
        kind: 'cause',
        place: this.#placeOf(at),
        vendor: found.vendor,
        cause: found.name,
        given: person ? bound(value, person) : value,
      },
    ];
  }

  /** An external event whose parameters have these names. */
  #causeOf(text: string, given: JsonObject, at: SourcePath): NamedVendor | undefined {
    const found = this.#named(text, [...at, 'cause'], 'cause', ({ causes }) => [...causes.keys()]);
    const variants = found?.program.causes.get(found.name)?.variants ?? [];
    const params = variants.flatMap(({ subject, params }) => [...(subject ? [subject.param] : []), ...params.keys()]);
    for (const name of Object.keys(given))
      if (found && !params.includes(name))
        this.diagnostics.unknown(this.#at([...at, 'with', name]), 'parameter', name, params, 'key');
    return found;
  }

  #namedSeed(vendor: string, name: string): CompanyStep[] {
    const at = ['vendors', vendor, 'seeds'];
    const seeds = [...(this.programs.get(vendor)?.seeds().keys() ?? [])];
    if (!seeds.includes(name)) {
      this.diagnostics.problem(this.#at(at), 'unknown-name', `${vendor} has no seed data '${name}'`, {
        suggestion: suggest(name, seeds),
      });
      return [];
    }
    return [{ kind: 'seed', place: this.#placeOf(at), vendor, body: () => ({ name }) }];
  }

  #seeds(text: string, objects: readonly Json[]): CompanyStep[] {
    const at = ['seeds', text];
    const [vendor, collection = ''] = text.split('/');
    const program = this.programs.get(vendor);
    if (!program) {
      this.#noVendor(vendor, at, 'key');
      return [];
    }
    if (!this.#collection(program, collection, at, 'key')) return [];
    return [{ kind: 'seed', place: this.#placeOf(at), vendor, body: () => ({ resource: collection, objects }) }];
  }

  #collection({ model }: Program, name: string, at: SourcePath, where: 'key' | 'value' = 'value'): boolean {
    if (model.byCollection.has(name)) return true;
    this.diagnostics.unknown(this.#at(at), 'collection', name, model.byCollection.keys(), where);
    return false;
  }

  /** What `vendor/name` names. */
  #named(
    text: string,
    at: SourcePath,
    what: 'operation' | 'cause' | 'event',
    namesOf: (program: Program) => readonly string[],
  ): NamedVendor | undefined {
    const cut = text.indexOf('/');
    const [vendor, name] = [text.slice(0, cut), text.slice(cut + 1)];
    const program = this.programs.get(vendor);
    if (!program) {
      this.#noVendor(vendor, at);
      return undefined;
    }
    const names = namesOf(program);
    if (names.includes(name)) return { vendor, program, name };
    const meant = suggest(name, names);
    this.diagnostics.problem(this.#at(at), `unknown-${what}`, `${vendor} has no ${what} '${name}'`, {
      suggestion: meant === undefined ? undefined : `${vendor}/${meant}`,
    });
    return undefined;
  }

  #noVendor(vendor: string, at: SourcePath, where: 'key' | 'value' = 'value'): void {
    this.diagnostics.problem(this.#at(at), 'unknown-name', `there is no vendor '${vendor}'`, {
      suggestion: suggest(vendor, this.programs.keys()),
      at: where,
    });
  }

  #at(path: SourcePath): SourceLocation {
    return inside(this.top, ...path);
  }

  /** The place of a step, for the message when it fails. */
  #placeOf(path: SourcePath): string {
    const { line, column } = this.top.file.locate(path);
    return `${this.path}:${line}:${column}`;
  }
}

/** A value with the person that it is about. */
function bound(value: Value, person: JsonObject): Value {
  return (names, engine) => value({ ...names, person }, engine);
}

function keep(names: Names, name: string, value: Json): void {
  (names as Record<string, Json>)[name] = isObject(value) || Array.isArray(value) ? value : { value };
}
