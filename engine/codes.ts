/**
 * Every code by which the sandbox names a kind of problem. They are stable: tests and tools compare them. docs/reference/errors.md
 * says of each what it means and what to do; a test compares both lists.
 *
 * The control API writes them with underscores, `validate-pack` with hyphens. The same words mean the same kind.
 */

/** What a name can be of, in a pack and in the control API. */
const NOUNS = ['cause', 'duration', 'event', 'field', 'moment', 'operation', 'resource', 'seed', 'version'] as const;

/** What a name of the control API can be of; that there is none has the code `unknown_<noun>`. */
export const NAMED = [
  ...NOUNS,
  'delivery',
  'endpoint',
  'entry',
  'exchange',
  'fault',
  'machine',
  'object',
  'pin',
  'tenant',
  'trace',
  'world',
] as const;

export type Named = (typeof NAMED)[number];

/** What a name of a pack can be of; that nothing declares it has the code `unknown-<noun>`. */
export const NAMED_IN_PACK = [
  ...NOUNS,
  'action',
  'argument',
  'collection',
  'column',
  'delay',
  'error',
  'event-kind',
  'flow',
  'format',
  'guard',
  'id-format',
  'id-kind',
  'key',
  'method',
  'page',
  'parameter',
  'pin-path',
  'route-parameter',
  'scenario',
  'shape',
  'state',
  'table',
  'tool',
  'toolset',
  'transport',
  'trigger',
  'type',
  'variable',
  'wait',
] as const;

export type NamedInPack = (typeof NAMED_IN_PACK)[number];

/** What a pack can have without use; the warning has the code `unused-<noun>`. */
export const UNUSED = [
  'action',
  'delay',
  'duration',
  'error',
  'flow',
  'format',
  'guard',
  'id-format',
  'parameter',
  'table',
  'type',
  'value',
  'variable',
] as const;

export type Unused = (typeof UNUSED)[number];

/** `error.code` of the control API, and of the responses of a server whose world is not there. */
export const CONTROL_CODES = [
  ...NAMED.map((noun) => `unknown_${noun}` as const),
  'ambiguous_name',
  'api_key_invalid',
  'api_key_missing',
  'beyond_ledger',
  'body_malformed',
  'body_too_large',
  'content_type_unsupported',
  'encoding_unsupported',
  'engine_derived',
  'event_did_not_come',
  'first_world',
  'host_unknown',
  'internal_error',
  'invalid_id',
  'invalid_value',
  'memory_short',
  'method_not_allowed',
  'missing_field',
  'missing_key',
  'name_taken',
  'no_deliveries',
  'not_a_replica',
  'not_found',
  'not_here',
  'not_pinnable',
  'not_ready',
  'not_the_host',
  'other_pack',
  'pack_defect',
  'pack_not_served',
  'path_malformed',
  'precondition_failed',
  'scenario_not_here',
  'store_failed',
  'too_many_moments',
  'too_many_worlds',
  'too_much_due',
  'unknown_key',
  'unknown_name',
  'unknown_pack',
  'unknown_reference',
  'unknown_route',
  'unknown_scenario',
  'world_full',
  'world_moving',
  'world_not_started',
  'world_reset',
  'world_starting',
] as const;

export type ControlCode = (typeof CONTROL_CODES)[number];

/** Codes of what is wrong with a machine. */
export const MACHINE = {
  bad_state_name: 'bad-state-name',
  bad_trigger_name: 'bad-trigger-name',
  endless_always: 'endless-always',
  final_state_leaves: 'final-state-leaves',
  initial_missing: 'missing-key',
  nested_states: 'nested-states',
  never_taken: 'never-taken',
  unknown_state: 'unknown-state',
  unreachable_state: 'unreachable-state',
  unsupported_type: 'invalid-value',
} as const;

/** `code` of a problem that `validate-pack` reports, beside those of YAML's own syntax. */
export const PROBLEM_CODES = [
  ...NAMED_IN_PACK.map((noun) => `unknown-${noun}` as const),
  ...UNUSED.map((noun) => `unused-${noun}` as const),
  ...Object.values(MACHINE).filter((code) => !/^(unknown-state|missing-key|invalid-value)$/.test(code)),
  'alias-bomb',
  'ambiguous-ids',
  'bad-header',
  'bad-key',
  'bad-merge',
  'bad-parent',
  'bad-pattern',
  'bad-route',
  'browser-key',
  'browser-method',
  'mcp-tool',
  'duplicate-collection',
  'duplicate-event',
  'duplicate-example',
  'duplicate-field',
  'duplicate-flow',
  'duplicate-key',
  'duplicate-magic-value',
  'duplicate-page',
  'duplicate-parameter',
  'duplicate-path',
  'duplicate-resource',
  'duplicate-route',
  'duplicate-row',
  'duplicate-scenario',
  'duplicate-seed',
  'duplicate-table',
  'event-never-emitted',
  'example-failed',
  'expression',
  'field-of-shape',
  'file-empty',
  'file-missing',
  'file-too-large',
  'file-unreadable',
  'forbidden-key',
  'id-pattern',
  'idle-operation',
  'inescapable-state',
  'invalid-value',
  'key-not-read',
  'leads-nowhere',
  'long-expression',
  'lost-value',
  'magic-value-unlike',
  'magic-values-overlap',
  'misplaced-step',
  'missing-argument',
  'missing-column',
  'missing-description',
  'missing-error',
  'missing-field',
  'missing-id',
  'missing-key',
  'missing-space',
  'no-bounds',
  'no-delivery',
  'no-event-type',
  'no-events',
  'hidden-name',
  'no-expression',
  'no-fields',
  'no-machine',
  'no-renderings',
  'no-scopes',
  'no-search',
  'no-secret',
  'no-status',
  'no-tenants',
  'no-tokens',
  'no-transport',
  'no-version-file',
  'no-view',
  'not-indexed',
  'not-stored',
  'number-unsafe',
  'pack-unreadable',
  'pin-never-binds',
  'recursive-flow',
  'recursive-type',
  'renamed-view',
  'seed-circle',
  'seed-rejected',
  'shared-flow',
  'singleton-id',
  'state-not-in-enum',
  'status-set',
  'stray-quote',
  'too-deep',
  'trigger-never-sent',
  'two-parts',
  'two-statuses',
  'two-steps',
  'unknown-anchor',
  'unknown-file',
  'unknown-folder',
  'unknown-name',
  'unknown-route',
  'unknown-step',
  'unreachable-content',
  'unsafe-pattern',
  'view-set',
  'wrong-type',
] as const;

/** Of YAML's own syntax there are as many as its reader has. */
export type ProblemCode = (typeof PROBLEM_CODES)[number] | `yaml-${string}`;

declare const ofPack: unique symbol;

/** Name of an error of a pack, which is in the place of a code when the pack's own steps fail a world event. */
export type PackErrorName = string & { readonly [ofPack]: true };

/** @param name of an error of errors.yaml */
export function packErrorName(name: string): PackErrorName {
  return name as PackErrorName;
}
