import {
  type Diagnostics,
  inside,
  keyIn,
  type ResourceDef,
  type SourceLocation,
  type SourcePath,
  typeOfShown,
} from '../model/index.js';
import { suggest } from '../pack/index.js';
import type { Program } from '../program/index.js';
import type { JsonObject } from '../values/index.js';
import { ANY, objectType, STRING, type Type } from '../expression/index.js';
import type { ReadCompany } from './file.js';

/** An operation, external event or event in a company file. */
interface NamedVendor {
  readonly vendor: string;
  readonly program: Program;
  readonly name: string;
}

/** Resolves the names in a company file, or in a pack's actors; unknown ones are reported. */
export class FileNames {
  /** @param own the vendor of all names, which are then written without it; null: names begin with a vendor */
  constructor(
    private readonly path: string,
    private readonly top: SourceLocation,
    private readonly diagnostics: Diagnostics,
    readonly programs: ReadonlyMap<string, Program>,
    private readonly own: string | null,
  ) {}

  /** The resource that `vendor/collection` means. */
  subject(text: string, at: SourcePath): { vendor: string; resource: ResourceDef; program: Program } | null {
    const [vendor, collection] = this.#split(text);
    const program = this.programs.get(vendor);
    if (!program) {
      this.noVendor(vendor, this.at(at));
      return null;
    }
    const resource = this.collection(program, collection, this.at(at));
    return resource ? { vendor, resource, program } : null;
  }

  /** An external event, with its parameters checked. */
  causeOf(text: string, given: JsonObject, at: SourcePath): NamedVendor | undefined {
    const found = this.named(text, [...at, 'cause'], 'cause', ({ causes }) => [...causes.keys()]);
    const variants = found?.program.causes.get(found.name)?.variants ?? [];
    const params = variants.flatMap(({ subject, params }) => [...(subject ? [subject.param] : []), ...params.keys()]);
    for (const name of Object.keys(given))
      if (found) this.diagnostics.known(keyIn(this.at([...at, 'with', name])), 'parameter', name, params);
    return found;
  }

  collection({ model }: Program, name: string, place: SourceLocation): ResourceDef | undefined {
    return this.diagnostics.find(place, 'collection', name, model.byCollection);
  }

  /** Resolves a name written as `vendor/name`; reports an unknown one. */
  named(
    text: string,
    at: SourcePath,
    what: 'operation' | 'cause' | 'event',
    namesOf: (program: Program) => readonly string[],
  ): NamedVendor | undefined {
    const [vendor, name] = this.#split(text);
    const program = this.programs.get(vendor);
    if (!program) {
      this.noVendor(vendor, this.at(at));
      return undefined;
    }
    const names = namesOf(program);
    if (names.includes(name)) return { vendor, program, name };
    const meant = suggest(name, names);
    this.diagnostics.problem(this.at(at), `unknown-${what}`, `${vendor} has no ${what} '${name}'`, {
      suggestion: meant === undefined || this.own !== null ? meant : `${vendor}/${meant}`,
    });
    return undefined;
  }

  /** Splits a name into its vendor and the rest. */
  #split(text: string): readonly [vendor: string, name: string] {
    const cut = text.indexOf('/');
    return this.own === null ? [text.slice(0, Math.max(cut, 0)), text.slice(cut + 1)] : [this.own, text];
  }

  noVendor(vendor: string, place: SourceLocation): void {
    const suggestion = suggest(vendor, this.programs.keys());
    this.diagnostics.problem(place, 'unknown-name', `there is no vendor '${vendor}'`, { suggestion });
  }

  at(path: SourcePath): SourceLocation {
    return inside(this.top, ...path);
  }

  /** The location of a step, for messages. */
  placeOf(path: SourcePath): string {
    const { line, column } = this.top.file.locate(path);
    return `${this.path}:${line}:${column}`;
  }
}

const FIELDS = ['key', 'name', 'email'].map((name) => [name, STRING] as const);

/** The type of a person. */
export const PERSON: Type = objectType(FIELDS);

/** The type of `people`: each person's own data and their objects, by vendor. */
export function typeOfPeople(people: NonNullable<ReadCompany['data']['people']>): Type {
  return objectType(
    Object.entries(people).map(([key, { is = {} }]) => {
      const objects = Object.keys(is).map((vendor) => [vendor, ANY] as const);
      return [key, objectType([...FIELDS, ...objects])] as const;
    }),
  );
}

/** Returns the type of an event, as its pack's API returns it. */
export function typeOfEvent({ eventMaker, eventKinds, resources }: Program, name: string): Type {
  const declared = resources.flatMap(({ events }) => [...events.values()]).find((event) => event.name === name);
  const maker = declared?.kind == null ? eventMaker : eventKinds.get(declared.kind)?.maker;
  return maker ? typeOfShown(maker.resource.def.schema.fields) : ANY;
}
