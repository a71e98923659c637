import type { Sentence, PomeSetup } from './pome-text.js';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../../engine/values/index.js';
import { type ImportedTask, taskName } from './imported.js';
import { PAYMENT_SENTENCES, paymentSetup } from './pome-payments.js';
import { CODE_SENTENCES, codeSetup } from './pome-code.js';
import { CHAT_SENTENCES, chatSetup } from './pome-chat.js';

interface EmulatedVendor {
  readonly pack: string;
  readonly sentences: readonly Sentence[];
  /**
   * Converts seed data to the setup of a task; returns a text with the reason if it can't. @param isAlone whether the world has only this pack, so
   * that the agent can have its own key
   */
  readonly setup: (seed: JsonObject, isAlone: boolean) => PomeSetup | string;
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
 * Converts a task of pome-sh/digital-twins: Markdown with sections, criteria as sentences that each become a check, and seed
 * data.
 * @param seed the file beside it (`*.seed.json`); null: seed data inside of the task, or none
 */
export function importPome(text: string, file: string, seed: JsonObject | null): ImportedTask {
  const name = taskName(file.replace(/\.md$/, ''));
  const none = (...notes: string[]): ImportedTask => ({ name, task: null, notes });
  const sections = sectionsOf(text);
  const config = parse(fenced(sections.get('config') ?? '')) as Readonly<
    Record<string, readonly string[] | undefined>
  > | null;
  if (config === null) return none('it has no section `Config`, so it is no task');
  const { class: kind, ['twins']: vendors = [] } = config;
  const missing = vendors.find((vendor) => !(vendor in VENDORS)) ?? (vendors.length === 0 ? '' : undefined);
  if (missing !== undefined) return none(`no pack emulates '${missing}' as the benchmark does`);
  const isAlone = vendors.length === 1;
  const inline = fenced(sections.get('seed state') ?? '');
  const objects = seed ?? (inline.startsWith('{') ? (JSON.parse(inline) as JsonObject) : {});
  const worlds: PomeSetup[] = [];
  for (const vendor of vendors) {
    const own: Json = isAlone ? objects : (objects[vendor] ?? {});
    const world = VENDORS[vendor].setup(isObject(own) ? own : {}, isAlone);
    if (typeof world === 'string') return none(world);
    worlds.push(isAlone ? world : { ...world, setup: world.setup.map((step) => stepOf(VENDORS[vendor].pack, step)) });
  }
  const criteria = sections.get('success criteria') ?? sections.get('checks') ?? '';
  const { checks, notes, unknown } = checksOf(criteria, vendors);
  // Rejects the task if a criterion can't be converted: without it, the task would be a different one.
  if (unknown.length > 0 || checks.length === 0) return none(...unknown, ...notes);
  const names = worlds.flatMap((world) => Object.entries(world.names));
  const named = (value: string, write: (kept: string) => string): string =>
    names.reduce((all, [from, kept]) => all.replaceAll(from, write(kept)), value);
  const [{ key }] = worlds;
  const task = {
    task: name,
    title: (/^#\s+(.+)$/m.exec(text)?.[1] ?? name).trim(),
    ...(kind === undefined ? {} : { class: kind }),
    packs: vendors.map((vendor) => VENDORS[vendor].pack),
    ...(key === undefined || !isAlone ? {} : { key }),
    setup: worlds.flatMap(({ setup }) => setup),
    prompt: named(
      (sections.get('prompt') ?? sections.get('task') ?? '').replaceAll('${', '$${'),
      (kept) => `\${${kept}}`,
    ),
    checks: checks.map((check) =>
      typeof check['final'] === 'string' ? { ...check, final: named(check['final'], (kept) => kept) } : check,
    ),
  };
  const all = [...worlds.flatMap((world) => world.notes), ...notes];
  return { name, task: task as unknown as ImportedTask['task'], notes: all };
}

/** Converts a step for a world of several packs, where names are prefixed with their pack. */
function stepOf(pack: string, { seed, call, ...step }: JsonObject): JsonObject {
  return {
    ...(isObject(seed) ? { seed: within(pack, seed) } : {}),
    ...(typeof call === 'string' ? { call: `${pack}/${call}` } : {}),
    ...step,
  };
}

/** Converts a check for a world of several packs, where names are prefixed with their pack. */
function checkIn(pack: string, check: JsonObject): JsonObject {
  const changes = ['added', 'changed', 'removed'].flatMap((kind) => {
    const { count, to, from, same, ...collections } = (check[kind] ?? {}) as JsonObject;
    const more = Object.entries({ count, to, from, same }).filter(([, value]) => value !== undefined);
    return kind in check ? [[kind, { ...within(pack, collections), ...Object.fromEntries(more) }] as const] : [];
  });
  const { operation, ...calls } = (check['calls'] ?? {}) as JsonObject;
  return {
    ...check,
    ...Object.fromEntries(changes),
    ...('final' in check ? { vendor: pack } : {}),
    ...(typeof operation === 'string' ? { calls: { operation: `${pack}/${operation}`, ...calls } } : {}),
  };
}

function within(pack: string, named: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [`${pack}/${name}`, value]));
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
  vendors: readonly string[],
): {
  readonly checks: JsonObject[];
  readonly notes: string[];
  readonly unknown: string[];
} {
  const checks: JsonObject[] = [];
  const unknown: string[] = [];
  const notes: string[] = [];
  for (const line of section.split('\n')) {
    const [, kind, vendor = vendors[0], sentence] =
      /^[-*]\s+\[(code|model)(?::([\w-]+))?(?:\s+always-scored)?\]\s+(.+)$/.exec(line.trim()) ?? [];
    if (kind === undefined) continue;
    if (kind === 'model') {
      notes.push(`a model judges: ${sentence}`);
      continue;
    }
    const { pack, sentences } = VENDORS[vendors.includes(vendor) ? vendor : vendors[0]];
    const found = [...SENTENCES, ...sentences].find(([pattern]) => pattern.test(sentence));
    const check = found?.[1](...(found[0].exec(sentence)?.slice(1) ?? [])) ?? 'no check is known for it';
    if (typeof check === 'string') unknown.push(`${sentence}: ${check}`);
    else checks.push({ about: sentence, ...(vendors.length === 1 ? check : checkIn(pack, check)) });
  }
  return { checks, notes, unknown };
}
