import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import type { DocumentedSentence } from './sentences.js';

/** A rule in the client's types, and a call that violates it. */
interface DocumentedRule {
  /** The parameter whose description contains the sentence; a suffix `#2` selects the description's second sentence. */
  readonly at: string;
  readonly rule: string;
  /** Method and path below /v1/; undefined if no call is needed. */
  readonly call?: string;
  readonly with?: string;
  /** The parameter that the error must name; null if it names none. */
  readonly param?: string | null;
  /** Why the pack accepts a call that violates the rule. */
  readonly accepted?: string;
  /** The feature of the rule that the pack doesn't emulate. */
  readonly outside?: string;
}

/** Texts that the calls of a file of rules refer to. */
export interface CallTexts {
  readonly parts: Readonly<Record<string, string>>;
  /** Calls that create objects before the rules' calls, by the name of the object. */
  readonly begin: Readonly<Record<string, string>>;
}

interface DocumentedRules extends CallTexts {
  readonly rules: readonly DocumentedRule[];
  readonly outside: readonly string[];
  readonly others: readonly string[];
}

interface Response {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends a call with a form, or a control call with JSON. */
export type SendCall = (method: string, path: string, body: URLSearchParams | string | null) => Promise<Response>;

/** The result of a call that violates a rule. */
export interface RuleOutcome<T = DocumentedRule> {
  readonly rule: T;
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly message: string | null;
}

export const RULES = 'test/packs/payments/api/documented-rules.yaml';

export function documentedRules(path = RULES): DocumentedRules {
  return parse(readFileSync(path, 'utf8')) as DocumentedRules;
}

/** Creates the objects for the rules' calls in a world, and sends those calls. */
export class RuleCalls {
  readonly #made = new Map<string, JsonObject>();

  /** Creates a caller for one file of rules. @param now Unix seconds */
  constructor(
    private readonly file: CallTexts,
    private readonly now: number,
    private readonly send: SendCall,
  ) {}

  /** Creates the objects that the calls refer to. @throws Error if one can't be created */
  async begin(): Promise<void> {
    for (const [name, line] of Object.entries(this.file.begin)) {
      const [call, body] = /^(\S+ \S+)(?: (.*))?$/.exec(line)?.slice(1) ?? [];
      const response = await this.#call(call, body ?? '');
      if (response.status !== 200) throw new Error(`${name}: ${line}: ${JSON.stringify(response.body)}`);
      this.#made.set(name, response.body);
    }
  }

  async outcome<T extends Pick<DocumentedRule, 'call' | 'with'>>(rule: T): Promise<RuleOutcome<T>> {
    const { status, body } = await this.response(rule);
    const { code, param, message } = (isObject(body['error'] ?? null) ? body['error'] : {}) as Readonly<
      Record<string, string>
    >;
    return { rule, status, code: code ?? null, param: param ?? null, message: message ?? null };
  }

  /** Makes a call, and returns status and body of the response. */
  response({ call, with: body }: Pick<DocumentedRule, 'call' | 'with'>): Promise<Response> {
    return this.#call(call ?? '', body ?? '');
  }

  async #call(call: string, body: string): Promise<Response> {
    const [method, target] = call.split(' ');
    const [path, query] = this.filled(target).split('?');
    if (path.startsWith('/')) return this.send(method, path, this.filled(body));
    const fields = this.filled(query ?? body);
    const form = new URLSearchParams();
    for (const field of fields.split('&').filter(Boolean)) {
      const end = field.indexOf('=');
      form.append(field.slice(0, end), field.slice(end + 1));
    }
    return method === 'POST'
      ? this.send(method, `/v1/${path}`, form)
      : this.send(method, `/v1/${path}?${form.toString()}`, null);
  }

  /** Replaces names of objects in a text with ids. */
  filled(text: string): string {
    return text
      .replaceAll(/\{(\w+)\}/g, (_all, part: string) => this.file.parts[part])
      .replaceAll(/\$repeat\((\d+),(.*?)\)(?=$|&)/g, (_all, times: string, each: string) =>
        Array.from({ length: Number(times) }, (_none, index) => each.replaceAll('#', String(index))).join('&'),
      )
      .replaceAll(/\$x(\d+)/g, (_all, length: string) => 'x'.repeat(Number(length)))
      .replaceAll(/\$now([+-]\d+)?/g, (_all, seconds?: string) => String(this.now + Number(seconds ?? 0)))
      .replaceAll(/\$([a-z]\w*)((?:\.\w+)*)/g, (_all, name: string, path: string) => this.#member(name, path));
  }

  #member(name: string, path: string): string {
    const object = this.#made.get(name);
    const keys = path === '' ? ['id'] : path.slice(1).split('.');
    const found = keys.reduce<Json>((value, key) => (value as JsonObject | null)?.[key] ?? null, object ?? null);
    if (typeof found !== 'string') throw new Error(`$${name}${path} is no text`);
    return found;
  }
}

/** Whether a rule has a call that must be rejected. */
export function isRejected({ accepted, outside }: DocumentedRule): boolean {
  return accepted === undefined && outside === undefined;
}

/** Figures about the sentences in the client's types. */
export interface SentenceSum {
  /** Number of sentences that forbid something. */
  readonly forbid: number;
  /** Number of sentences about features that the pack doesn't emulate. */
  readonly outside: number;
  readonly rejected: number;
  readonly accepted: number;
  /** Sentences for which there is no rule. */
  readonly missing: readonly string[];
}

/** Counts sentences by the outcome of their rules. @param holds whether a rule's call was rejected with the rule's parameter */
export function sumOfSentences(
  sentences: readonly DocumentedSentence[],
  { rules, outside, others }: DocumentedRules,
  holds: (rule: DocumentedRule) => boolean,
): SentenceSum {
  const byPath = new Map<string, DocumentedRule[]>();
  for (const rule of rules) byPath.set(rule.at, [...(byPath.get(rule.at) ?? []), rule]);
  const seen = new Set(others);
  const sum = { forbid: 0, outside: 0, rejected: 0, accepted: 0 };
  const missing: string[] = [];
  for (const { at: paths } of sentences) {
    const found = paths.flatMap((path) => byPath.get(path) ?? byPath.get(path.replace(/#\d+$/, '')) ?? []);
    if (found.length === 0 && paths.some((path) => seen.has(path))) continue;
    sum.forbid++;
    if (found.some((rule) => rule.outside !== undefined)) sum.outside++;
    else if (found.length > 0) sum[found.every(holds) ? 'rejected' : 'accepted']++;
    else if (paths.every((path) => outside.some((area) => path.startsWith(area)))) sum.outside++;
    else missing.push(paths[0]);
  }
  return { ...sum, missing };
}
