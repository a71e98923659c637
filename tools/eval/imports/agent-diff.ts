import { isObject, type Json, type JsonObject, patternProblem } from '../../../engine/values/index.js';
import { type ImportedTask, taskName } from './imported.js';
import { CHAT, chatSeeds, keyOfPerson } from './chat-tables.js';
import type { TableMapping } from './tables.js';

/** A test suite of agent-diff (`backend/seeds/testsuites/*.json`). */
interface AgentDiffSuite {
  readonly id: string;
  readonly service: string;
  readonly tests: readonly AgentDiffTest[];
}

interface AgentDiffTest {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly seed_template: string;
  readonly impersonate_user_id?: string;
  readonly assertions: readonly AgentDiffAssertion[];
}

interface AgentDiffAssertion {
  readonly diff_type: 'added' | 'changed' | 'removed';
  readonly entity: string;
  readonly where?: JsonObject;
  readonly expected_count?: Json;
  readonly expected_changes?: JsonObject;
}

/** Thrown for a part of an assertion that the checks of tasks can't express. */
class NotExpressible extends Error {}

/** Whether a parsed file is a test suite of agent-diff. */
export function isAgentDiff(value: unknown): value is AgentDiffSuite {
  return isObject(value) && Array.isArray(value['tests']) && typeof value['service'] === 'string';
}

/** Converts the tasks of a suite. @param tables reads the tables of a seed template by name */
export function importAgentDiff(suite: AgentDiffSuite, tables: (template: string) => JsonObject): ImportedTask[] {
  return suite.tests.map((test): ImportedTask => {
    const name = taskName(suite.id, test.id);
    if (suite.service !== 'slack')
      return { name, task: null, notes: [`no pack emulates '${suite.service}' as the benchmark does`] };
    try {
      const checks = test.assertions.map((each) => checkOf(each, CHAT));
      const { impersonate_user_id: person } = test;
      const task = {
        task: name,
        title: test.name,
        packs: ['team-chat'],
        t0: '2025-01-01T00:00:00Z',
        ...(person === undefined ? {} : { key: keyOfPerson(person) }),
        setup: [{ seed: chatSeeds(tables(test.seed_template)) }],
        // Escapes `${` as `$${`, since a prompt may contain expressions.
        prompt: test.prompt.replaceAll('${', '$${'),
        checks,
      };
      return { name, task, notes: [] };
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error;
      return { name, task: null, notes: [error.message] };
    }
  });
}

function checkOf(assertion: AgentDiffAssertion, mapping: TableMapping): JsonObject {
  const {
    diff_type: kind,
    entity,
    where = {},
    expected_count: count = null,
    expected_changes: changes = {},
  } = assertion;
  const table = mapping[entity];
  if (table === undefined) throw new NotExpressible(`no collection for the table '${entity}'`);
  const fields = Object.entries(where).map(([field, wanted]) => fieldOf(table, entity, field, wanted));
  const to: [string, Json][] = [];
  const from: [string, Json][] = [];
  for (const [field, change] of Object.entries(changes)) {
    const asked: JsonObject = isObject(change) ? change : { to: change };
    if ((asked['to'] ?? null) !== null) to.push(fieldOf(table, entity, field, asked['to']));
    if ((asked['from'] ?? null) !== null) from.push(fieldOf(table, entity, field, asked['from']));
  }
  const parts = Object.entries({ to, from }).filter(([, list]) => list.length > 0);
  // A row that the benchmark expects to change may not change in other fields.
  const expected = [...to, ...from].map(([path]) => path);
  const paths = Object.values(table.fields).map((field) => (typeof field === 'string' ? field : field.to));
  const same = [...new Set(paths)].filter((path) => kind === 'changed' && path !== 'id' && !expected.includes(path));
  return {
    [kind]: {
      [table.collection]: { ...together(fields), ...(kind === 'added' ? table.added : {}) },
      ...Object.fromEntries(parts.map(([name, list]) => [name, together(list)])),
      ...(same.length === 0 || expected.length === 0 ? {} : { same }),
      ...(count === null ? {} : { count }),
    },
  };
}

/** Merges several predicates about one field into a map. */
function together(fields: readonly (readonly [string, Json])[]): JsonObject {
  const made: Record<string, Json> = {};
  for (const [name, wanted] of fields) {
    const before = made[name] ?? null;
    made[name] = isObject(before) && isObject(wanted) ? { ...before, ...wanted } : wanted;
  }
  return made;
}

function fieldOf(table: TableMapping[string], entity: string, field: string, wanted: Json): [string, Json] {
  const known = table.fields[field];
  if (known === undefined) throw new NotExpressible(`no field for '${field}' of the table '${entity}'`);
  if (typeof known === 'string') return [known, predicates(wanted)];
  const value = isObject(wanted) ? (wanted['eq'] ?? null) : wanted;
  const meaning = known.values.find(([of]) => of === value);
  if (!meaning) throw new NotExpressible(`${field}: ${JSON.stringify(wanted)} has no counterpart`);
  return [known.to, meaning[1]];
}

function predicates(wanted: Json): Json {
  if (!isObject(wanted)) return wanted;
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => {
      if (name === 'not_eq') return ['ne', value];
      return name === 'regex' ? expression(String(value)) : [name, value];
    }),
  );
}

/** Converts a Python regular expression with flags at its start. */
function expression(source: string): [string, Json] {
  const [head, flags = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [''];
  let pattern = source.slice(head.length);
  // With the flag `s`, `.` also matches line breaks.
  if (flags.includes('s'))
    pattern = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]|\./g, (part) => (part === '.' ? '[\\s\\S]' : part));
  const problem = patternProblem(pattern);
  if (problem) throw new NotExpressible(`the regular expression '${source}': ${problem.message}`);
  return [flags.includes('i') ? 'i_regex' : 'regex', pattern];
}
