import type { FactsFile } from '../../engine/model/index.js';
import { keysOfPointer } from '../../engine/values/index.js';
import type { Build } from './build.js';
import type { DocumentedCall } from './contract.js';
import { documentBody, objectOr } from './document.js';
import { factsOf, type OperationFacts } from './facts.js';
import { clean } from './params.js';
import { type PackType, shortType } from './types.js';

type Difference = NonNullable<FactsFile['differs']>[number];
type Long = Readonly<Record<string, unknown>>;

/** Documents don't show which text formats a vendor enforces, so none is. */
const NO_FORMATS: ReadonlySet<string> = new Set();
/** Constraints that facts.yaml contains. */
const RULES = ['min', 'max', 'max_length', 'pattern'] as const;

/**
 * Decides which parameters an operation declares: those that it stores or reads. All others, and all constraints, go to facts.yaml, which the engine
 * checks; parameters without an effect are reported.
 */
export class DeclaredParams {
  readonly operations = new Map<string, OperationFacts>();
  /** Paging parameters that every list accepts, although the document doesn't have them. */
  readonly #pages = new Set<string>();
  readonly #differs: {
    readonly params: string[];
    readonly rules: Difference['rules'];
    operations: string[];
    reason: string;
  }[] = [];

  /** @param keys names of parameters that contain API keys */
  constructor(
    private readonly build: Build,
    private readonly keys: ReadonlySet<string>,
  ) {}

  /** `differs` of facts.yaml: constraints that the document's own examples violate, or that the pack can't enforce. */
  get differs(): readonly Difference[] {
    const params = [...this.#pages];
    return [
      ...this.#differs,
      ...(params.length === 0 ? [] : [{ params, rules: ['unknown' as const], reason: EVERY_LIST }]),
    ];
  }

  /**
   * Removes the parameters that an operation neither stores nor reads, and the constraints of the others.
   * @param name of the operation, which is in long form and is modified
   * @param fields of its resource
   * @param unkept parameters that have the name of a field but aren't stored in it
   */
  declare(
    call: DocumentedCall,
    name: string,
    operation: Record<string, unknown>,
    fields: Long,
    unkept: ReadonlySet<string> = new Set(),
  ): void {
    const { document, basePath } = this.build;
    const facts = factsOf(document, call, { keys: this.keys, formats: NO_FORMATS, members: true });
    const route = `${call.method.toUpperCase()} ${basePath}${call.path.replace(/[?#].*$/, '')}`;
    this.operations.set(route, facts);
    const documented = facts.params ?? {};
    const shown = this.#shownOtherwise(call, route, documented);
    const params = (operation['params'] ?? {}) as Record<string, PackType>;
    const used = usedNames(name, operation, fields, unkept);
    const text = JSON.stringify(operation);
    const lists = operation['lists'];
    if (lists !== undefined)
      for (const [param, keys] of Object.entries(PAGES))
        if (!(param in documented) && !keys.some((key) => key in objectOr(lists))) this.#pages.add(param);
    for (const [param, type] of Object.entries(params)) {
      const own = longOf(type);
      const fact = longOf(documented[param]);
      if (fact['required'] === true && own['required'] !== true)
        this.#differ(route, param, 'required', shown.has(param) ? SHOWN_OTHERWISE : KEPT_BY_CHANGES);
      if (used.has(param)) {
        const isSource = text.includes(`"from":"params.${param}"`);
        const isRead = (member: string): boolean =>
          (member in fields && !unkept.has(member)) || new RegExp(`\\bparams\\.${param}\\.${member}\\b`).test(text);
        if (isSource) params[param] = source(own, fact, fields, isRead);
        else if (param in documented) params[param] = plainest(own, fact, longOf(fields[param] as PackType));
      } else if (param in documented || this.keys.has(param)) delete params[param];
      // facts.yaml can't describe a body that is a list.
      else params[param] = { ...own, effect: 'none' };
    }
    if (Object.keys(params).length === 0 && !isDerived(name, operation)) delete operation['params'];
  }

  /** Records the constraints that the document's own examples violate. @returns paths of the parameters */
  #shownOtherwise(
    call: DocumentedCall,
    route: string,
    documented: Readonly<Record<string, PackType>>,
  ): ReadonlySet<string> {
    const found = new Set<string>();
    const schema = documentBody(this.build.document, call.operation['requestBody'])?.schema;
    for (const { sent } of this.build.examplesOf(call))
      for (const { instancePath, keyword, params } of sent === undefined
        ? []
        : this.build.contract.errors(schema, sent)) {
        const missing = keyword === 'required' ? [String(objectOr(params)['missingProperty'])] : [];
        const path = [...keysOfPointer(instancePath).filter((key) => !/^\d+$/.test(key)), ...missing];
        if (path.length === 0 || !(path[0] in documented)) continue;
        const isKnown = typeAt(longOf(documented[path[0]]), path.slice(1)) !== undefined;
        const param = isKnown ? path.join('.') : path[0];
        found.add(param);
        this.#differ(route, param, isKnown ? (RULE_OF[keyword] ?? 'type') : 'type', SHOWN_OTHERWISE);
      }
    return found;
  }

  #differ(route: string, param: string, rule: Difference['rules'][number], reason: string): void {
    const known = this.#differs.find(
      (each) => each.operations.includes(route) && each.rules[0] === rule && each.reason === reason,
    );
    if (known === undefined) this.#differs.push({ params: [param], rules: [rule], operations: [route], reason });
    else if (!known.params.includes(param)) known.params.push(param);
  }
}

/** Constraints by JSON Schema keyword; all other keywords concern the type. */
const RULE_OF: Readonly<Record<string, Difference['rules'][number]>> = {
  required: 'required',
  enum: 'enum',
  minimum: 'minimum',
  maximum: 'maximum',
  minLength: 'min_length',
  maxLength: 'max_length',
  pattern: 'pattern',
  minItems: 'items',
  maxItems: 'items',
};

/** The type at a path of members, through lists too. */
function typeAt(type: Long, [name, ...rest]: readonly string[]): Long | undefined {
  if (name === undefined) return type;
  if ('items' in type) return typeAt(longOf(type['items'] as PackType), [name, ...rest]);
  const member = objectOr(type['fields'])[name] as PackType | undefined;
  return member === undefined ? undefined : typeAt(longOf(member), rest);
}

/** The engine's paging parameters, and the keys of `lists` that rename them. */
const PAGES = { limit: ['size'], cursor: ['cursors', 'token', 'pages', 'offset'] } as const;
const EVERY_LIST = 'every list has pages';
const SHOWN_OTHERWISE = "the document's example of the call has it otherwise";
const KEPT_BY_CHANGES = 'a change need not repeat what the object has';

/** Whether an operation stores its parameters in the fields of the same names, without steps. */
function isDerived(name: string, { kind = name, do: steps }: Long): boolean {
  return steps === undefined && (kind === 'create' || kind === 'update');
}

/** Names of the parameters that an operation stores or reads. */
function usedNames(name: string, operation: Long, fields: Long, unkept: ReadonlySet<string>): Set<string> {
  const { params, description: _, route, body: __, ...rest } = operation;
  const text = JSON.stringify(rest);
  const used = new Set([...text.matchAll(/\bparams\.([A-Za-z_]\w*)/g)].map(([, each]) => each));
  for (const [, each] of String(route).matchAll(/\{([^{}]+)\}/g)) used.add(each);
  if (isDerived(name, operation) || text.includes('"from":"params"'))
    for (const each of Object.keys(objectOr(params)))
      if (each in fields && !('view' in longOf(fields[each] as PackType)) && !unkept.has(each)) used.add(each);
  return used;
}

/** A parameter's type without the constraints in facts.yaml. */
function plainest(own: Long, fact: Long, field: Long): PackType {
  const { required, nullable, separator, ...type } = own;
  return shortType(clean({ ...formOf(type, fact, field), separator, nullable, required }));
}

/** The type of a parameter whose members become fields, reduced to the members that are read. */
function source(
  { fields: members, open: _, ...own }: Long,
  fact: Long,
  fields: Long,
  isRead: (name: string) => boolean,
): PackType {
  const known = objectOr(fact['fields']);
  const read = Object.entries(objectOr(members ?? known)).filter(([name]) => name in known && isRead(name));
  const types = read.map(([name, type]) => [
    name,
    plainest(longOf(type as PackType), longOf(known[name] as PackType), longOf(fields[name] as PackType)),
  ]);
  if (members !== undefined && types.length > 0) return { ...own, fields: Object.fromEntries(types) as unknown };
  // If no member is documented as an object, the fields that the steps read are members of any type.
  const any = Object.keys(fields)
    .filter(isRead)
    .map((name) => [name, 'any']);
  return { ...own, type: 'object', fields: Object.fromEntries(types.length > 0 ? types : any) as unknown };
}

function formOf(own: Long, fact: Long, field: Long): Long {
  const options = [fact, ...listed(fact['one_of'])];
  const has = (kind: string): boolean => options.some((each) => kindOf(each) === kind);
  if ('const' in own) return own;
  if ('enum' in own) {
    if (JSON.stringify(own['enum']) === JSON.stringify(field['enum'])) return own;
    return options.some((each) => 'enum' in each) && !('enum' in field) ? { type: 'string' } : own;
  }
  if ('one_of' in own) return 'one_of' in fact ? { type: 'any' } : own;
  const kind = kindOf(own);
  switch (kind) {
    case 'object':
      return has('object') || has('map') ? { type: 'map' } : own;
    case 'array': {
      const inside = options.find((each) => kindOf(each) === 'array');
      if (inside === undefined) return own;
      const { min: _, max: __, ...rest } = own;
      return { ...rest, items: plainest(longOf(own['items'] as PackType), longOf(inside['items'] as PackType), {}) };
    }
    case 'map':
      return 'fields' in longOf(own['values'] as PackType) ? { type: 'map' } : own;
    default:
      if (!has(kind)) return own;
      return Object.fromEntries(Object.entries(own).filter(([key]) => !RULES.some((rule) => rule === key)));
  }
}

function listed(types: unknown): readonly Long[] {
  return Array.isArray(types) ? (types as readonly PackType[]).map(longOf) : [];
}

function kindOf(type: Long): string {
  if ('fields' in type) return 'object';
  if ('items' in type) return 'array';
  return 'enum' in type ? 'string' : String(type['type'] ?? 'any').replace(/\?$/, '');
}

function longOf(type: PackType | undefined): Long {
  return typeof type === 'string'
    ? { type: type.replace(/\?$/, ''), ...(type.endsWith('?') ? { nullable: true } : {}) }
    : (type ?? {});
}
