import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { type ImportedTask, taskName } from './imported.js';
import { PAYMENT_SENTENCES, paymentSetup } from './pome-payments.js';
import { CODE_SENTENCES, codeSetup } from './pome-code.js';
import { CHAT_SENTENCES, chatSetup } from './pome-chat.js';

/** A sentence of a criterion, and the check that it is; a text: why there is none. */
export type Sentence = readonly [pattern: RegExp, check: (...values: readonly string[]) => JsonObject | string];

/** The world that a task begins with. */
export interface PomeSetup {
  readonly setup: readonly JsonObject[];
  readonly key?: string;
  /** Texts of the task that mean something that the setup keeps, and what: ids, most of all. */
  readonly names: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

interface EmulatedVendor {
  readonly pack: string;
  readonly sentences: readonly Sentence[];
  readonly setup: (seed: JsonObject) => PomeSetup | string;
}

const VENDORS: Readonly<Record<string, EmulatedVendor>> = {
  stripe: { pack: 'payments', sentences: PAYMENT_SENTENCES, setup: paymentSetup },
  github: { pack: 'code-hosting', sentences: CODE_SENTENCES, setup: codeSetup },
  slack: { pack: 'team-chat', sentences: CHAT_SENTENCES, setup: chatSetup },
};

const SENTENCES: readonly Sentence[] = [
  [/^No unsupported endpoint was called$/, () => ({ calls: { unsupported: 0 } })],
];

/**
 * A task of pome-sh/digital-twins: Markdown with sections, criteria as sentences that are each a check, and seed data.
 * @param seed the file beside it (`*.seed.json`); null: the task has its own, or none
 */
export function importPome(text: string, file: string, seed: JsonObject | null): ImportedTask {
  const name = taskName(file.replace(/\.md$/, ''));
  const none = (...notes: string[]): ImportedTask => ({ name, task: null, notes });
  const sections = sectionsOf(text);
  const config = parse(fenced(sections.get('config') ?? '')) as Readonly<
    Record<string, readonly string[] | undefined>
  > | null;
  if (config === null) return none('it has no section `Config`, so it is no task');
  const { class: kind, ['twins']: [first = '', ...others] = [] } = config;
  const vendor = VENDORS[first] as EmulatedVendor | undefined;
  if (vendor === undefined) return none(`no pack emulates '${first}' as the benchmark does`);
  if (others.length > 0) return none(`it needs several vendors: ${[first, ...others].join(', ')}`);
  const inline = fenced(sections.get('seed state') ?? '');
  const world = vendor.setup(seed ?? (inline.startsWith('{') ? (JSON.parse(inline) as JsonObject) : {}));
  if (typeof world === 'string') return none(world);
  const { checks, notes, unknown } = checksOf(sections.get('success criteria') ?? sections.get('checks') ?? '', vendor);
  // With a criterion less it would be another task.
  if (unknown.length > 0 || checks.length === 0) return none(...unknown, ...notes);
  const named = (value: string, write: (kept: string) => string): string =>
    Object.entries(world.names).reduce((all, [given, kept]) => all.replaceAll(given, write(kept)), value);
  const task = {
    task: name,
    title: (/^#\s+(.+)$/m.exec(text)?.[1] ?? name).trim(),
    ...(kind === undefined ? {} : { class: kind }),
    packs: [vendor.pack],
    ...(world.key === undefined ? {} : { key: world.key }),
    setup: [...world.setup],
    prompt: named(
      (sections.get('prompt') ?? sections.get('task') ?? '').replaceAll('${', '$${'),
      (kept) => `\${${kept}}`,
    ),
    checks: checks.map((check) =>
      typeof check['final'] === 'string' ? { ...check, final: named(check['final'], (kept) => kept) } : check,
    ),
  };
  return { name, task: task as unknown as ImportedTask['task'], notes: [...world.notes, ...notes] };
}

function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^##\s+(.+)$/m).slice(1);
  const made = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) made.set(parts[at].trim().toLowerCase(), parts[at + 1].trim());
  return made;
}

function fenced(section: string): string {
  return /```\w*\n([\s\S]*?)```/.exec(section)?.[1].trim() ?? section;
}

function checksOf(
  section: string,
  { sentences }: EmulatedVendor,
): {
  readonly checks: JsonObject[];
  readonly notes: string[];
  readonly unknown: string[];
} {
  const checks: JsonObject[] = [];
  const unknown: string[] = [];
  const notes: string[] = [];
  for (const line of section.split('\n')) {
    const [, kind, sentence] =
      /^[-*]\s+\[(code|model)(?::[\w-]+)?(?:\s+always-scored)?\]\s+(.+)$/.exec(line.trim()) ?? [];
    if (kind === undefined) continue;
    if (kind === 'model') {
      notes.push(`a model judges: ${sentence}`);
      continue;
    }
    const found = [...SENTENCES, ...sentences].find(([pattern]) => pattern.test(sentence));
    const check = found?.[1](...(found[0].exec(sentence)?.slice(1) ?? [])) ?? 'no check is known for it';
    if (typeof check === 'string') unknown.push(`${sentence}: ${check}`);
    else checks.push({ about: sentence, ...check });
  }
  return { checks, notes, unknown };
}

/** The objects of a list in seed data. */
export function rowsIn(seed: JsonObject, name: string): readonly JsonObject[] {
  const list: Json = seed[name] ?? null;
  return Array.isArray(list) ? list.filter((each: Json): each is JsonObject => isObject(each)) : [];
}
