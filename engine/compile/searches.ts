import {
  BOOLEAN,
  type Compiled,
  describeType,
  type FlowFunction,
  functions,
  type Host,
  listType,
  MISTAKEN,
  type Scope,
  specials,
  STRING,
  type Type,
} from '../expression/index.js';
import {
  type FactsFile,
  inside,
  keyIn,
  parseSchema,
  type ResourceDef,
  type SearchQualifierFile,
  type SourceLocation,
  type TextSearchFile,
} from '../model/index.js';
import {
  Rejection,
  SEARCH_PROBLEMS,
  searched,
  type SearchProblem,
  type SearchQualifier,
  type TextSearch,
} from '../program/index.js';
import { type Json, type JsonObject, lazy } from '../values/index.js';
import { type Compiler, functionScope } from './context.js';
import { checkErrorUse } from './error-use.js';

const LONGEST = 10_000;

/** Links the searches of all resources, which expressions call as they call flows. */
export function linkSearches(compiler: Compiler): void {
  const { model, diagnostics } = compiler;
  for (const def of model.resources) {
    for (const [name, file] of Object.entries(def.file.searches ?? {})) {
      const place = inside(def.place, 'searches', name);
      if (model.env.flows.has(name) || functions.has(name) || specials.has(name))
        diagnostics.problem(
          keyIn(place),
          'duplicate-flow',
          `'${name}' is also a flow, a search or a function of the language`,
        );
      const made = lazy(() => new SearchLinker(def, name, file, place, compiler).link());
      if (!compiler.passed) made();
      model.env.flows.set(name, searchFunction(def, file, place, made, compiler));
    }
  }
}

/** The search as a function of a text, and of the items if they aren't objects of the resource. */
function searchFunction(
  def: ResourceDef,
  file: TextSearchFile,
  place: SourceLocation,
  made: () => TextSearch,
  compiler: Compiler,
): FlowFunction {
  const type = lazy(() => itemType(def, file, place, compiler));
  const args = lazy(
    () =>
      new Map([
        ['text', { type: STRING, required: true }],
        ['items', { type: listType(type()), required: file.item !== undefined }],
      ]),
  );
  return {
    get args() {
      return args();
    },
    unfit: () => null,
    call: ([text, items], { unit }): Compiled => {
      const all = `x.findObjects(${def.index}, [], 1 / 0)`;
      const call = `${unit.refer(searched, 'searched')}(x, ${unit.refer(made, 'search')}(), ${text.js}, ${(items as Compiled | undefined)?.js ?? all})`;
      return { type: listType(type()), js: call };
    },
  };
}

function itemType(def: ResourceDef, { item }: TextSearchFile, place: SourceLocation, { model, env }: Compiler): Type {
  if (item === undefined) return def.type;
  const named = typeof item === 'string' ? env.resources.get(item) : undefined;
  return named?.type ?? parseSchema(item, inside(place, 'item'), model.context).expr;
}

class SearchLinker {
  readonly #item: Type;

  constructor(
    private readonly def: ResourceDef,
    private readonly name: string,
    private readonly file: TextSearchFile,
    private readonly place: SourceLocation,
    private readonly compiler: Compiler,
  ) {
    this.#item = itemType(def, file, place, compiler);
  }

  link(): TextSearch {
    const { file, place, compiler } = this;
    const words = Object.entries(file.words).map(
      ([name, source]) => [name.toLowerCase(), this.#of(source, inside(place, 'words', name)).run] as const,
    );
    const qualifiers = Object.entries(file.qualifiers ?? {}).map(
      ([name, each]) => [name, this.#qualifier(each, inside(place, 'qualifiers', name))] as const,
    );
    const standIns = Object.entries(file.stand_ins ?? {}).map(
      ([name, source]) =>
        [
          name.toLowerCase(),
          this.#function<(x: Host) => Json>(source, {}, inside(place, 'stand_ins', name)).run,
        ] as const,
    );
    return {
      words: new Map(words),
      qualifiers: new Map(qualifiers),
      standIns: new Map(standIns),
      longest: file.longest ?? LONGEST,
      operators: file.operators ?? Infinity,
      errors: this.#errors(),
      documented: this.#documented(),
      toMs: compiler.env.toMs,
    };
  }

  /** Qualifiers that facts.yaml lists for this search and the pack lacks. */
  #documented(): ReadonlySet<string> {
    const facts = this.compiler.model.source.one('facts')?.data as FactsFile | undefined;
    const names = (facts?.searches?.[this.name] ?? []).map((name) => name.toLowerCase());
    const own = new Map(Object.entries(this.file.qualifiers ?? {}).map(([name, each]) => [name.toLowerCase(), each]));
    return new Set(
      names.flatMap((name) => {
        const [qualifier, value] = name.split(':') as [string, string | undefined];
        const known = own.get(qualifier);
        if (known === undefined) return [qualifier];
        const values = known.texts === true ? this.file.words : known.values;
        const has = Object.keys(values ?? {}).some((each) => each.toLowerCase() === value);
        return value === undefined || values === undefined || has ? [] : [name];
      }),
    );
  }

  #qualifier(file: SearchQualifierFile, place: SourceLocation): SearchQualifier {
    const ofValue = (key: 'value' | 'exists') => {
      const source = file[key];
      return source === undefined
        ? null
        : this.#function<(x: Host, value: string) => Json>(source, { value: STRING }, inside(place, key)).run;
    };
    return {
      test: this.#test(file, place),
      match: file.match ?? 'whole',
      value: ofValue('value'),
      exists: ofValue('exists'),
      several: file.several === true,
      any: file.any === true,
    };
  }

  #test(file: SearchQualifierFile, place: SourceLocation): SearchQualifier['test'] {
    if (file.texts === true) return { kind: 'texts' };
    if (file.ignored === true) return { kind: 'ignored' };
    if (file.values !== undefined) {
      const of = Object.entries(file.values).map(
        ([value, source]) => [value.toLowerCase(), this.#of(source, inside(place, 'values', value), true).run] as const,
      );
      return { kind: 'values', of: new Map(of) };
    }
    if (file.where !== undefined)
      return {
        kind: 'where',
        of: this.#function<(x: Host, item: Json, value: string) => Json>(
          file.where,
          { item: this.#item, value: STRING },
          inside(place, 'where'),
          true,
        ).run,
      };
    const { type, run } = this.#of(file.of ?? 'null', inside(place, 'of'));
    const kind = file.type ?? this.#kindOf(type);
    if (kind === null && type === MISTAKEN) return { kind: 'text', of: run };
    if (kind === null) {
      this.compiler.diagnostics.problem(
        inside(place, 'of'),
        'wrong-type',
        `it is ${describeType(type)}: say with \`type\` how it is compared`,
      );
      return { kind: 'text', of: run };
    }
    return { kind, of: run };
  }

  #kindOf(type: Type): 'text' | 'number' | 'boolean' | null {
    if (type.kind === 'list') return type.of.kind === 'any' || type.of.kind === 'string' ? 'text' : null;
    if (type.kind === 'string') return 'text';
    return type.kind === 'number' || type.kind === 'boolean' ? type.kind : null;
  }

  #errors(): TextSearch['errors'] {
    const { file, place, compiler } = this;
    const made = new Map<SearchProblem, (x: Host, qualifier: string, value: string) => Rejection>();
    for (const problem of SEARCH_PROBLEMS) {
      const each = file.errors?.[problem];
      if (each === undefined) continue;
      const at = inside(place, 'errors', problem);
      checkErrorUse(each.error, each.with, at, 'error', compiler);
      const { scope, unit, parameters } = this.#scope({ qualifier: STRING, value: STRING }, at);
      const args = compiler.diagnostics.template(inside(at, 'with'), each.with ?? {}, scope, compiler.env);
      const run = unit.expression<[unknown, string, string], JsonObject>(parameters, args);
      made.set(problem, (x, qualifier, value) => new Rejection(each.error, run(x, qualifier, value)));
    }
    return made;
  }

  #of(source: string, place: SourceLocation, isCondition = false) {
    return this.#function<(x: Host, item: Json) => Json>(source, { item: this.#item }, place, isCondition);
  }

  #function<F extends (...args: never[]) => Json>(
    source: string,
    names: Readonly<Record<string, Type>>,
    place: SourceLocation,
    isCondition = false,
  ): { readonly type: Type; readonly run: F } {
    const { diagnostics, env } = this.compiler;
    const { scope, unit, parameters } = this.#scope(names, place);
    const compiled = isCondition
      ? diagnostics.condition(place, source, scope, env)
      : diagnostics.bare(place, source, scope, env);
    return {
      type: isCondition ? BOOLEAN : compiled.type,
      run: unit.function<F>(parameters, [`return ${compiled.js};`]),
    };
  }

  /** A scope with the searched object as `item` and the `request` of the command. */
  #scope(names: Readonly<Record<string, Type>>, place: SourceLocation) {
    const made = functionScope(`search ${this.name} of ${this.def.name}`, place, this.compiler.env, names);
    const { request } = this.compiler.env;
    (made.scope satisfies Scope).name('request', { js: 'x.request', type: request, live: false });
    return made;
  }
}
