/** A tool for agents: one or two control API calls, named for their purpose. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** Ids of API operations; the tool calls the first one that accepts the given arguments. */
  readonly operations: readonly [string, ...string[]];
  /** Default arguments of the operation. */
  readonly unless?: Readonly<Record<string, unknown>>;
  /** Whether the tool changes nothing. */
  readonly reads?: true;
}

/** Default number of listed objects, calls or deliveries. */
const FEW = { limit: 20 };

/** The tools, in the order in which an agent needs them. */
export const TOOLS: readonly McpTool[] = [
  {
    name: 'about',
    description:
      'The sandbox: its address and key for the application under test, the pack that it emulates, its clock, its collections and how many objects each has. Begin here.',
    operations: ['about'],
    reads: true,
  },
  {
    name: 'seed',
    description:
      'Insert objects silently (no events). All go in or none; an error names the path of the invalid value.',
    operations: ['seed'],
  },
  {
    name: 'state',
    description: 'Objects as they are stored: of a collection (resource), one (id), now or at an earlier moment (at).',
    operations: ['state'],
    unless: FEW,
    reads: true,
  },
  {
    name: 'next',
    description: 'What can happen outside now: causes, with the parameters for fire. Narrow with id or cause.',
    operations: ['possibleCauses'],
    unless: FEW,
    reads: true,
  },
  {
    name: 'fire',
    description: 'Trigger an external event (listed by next). Returns the events that it set off and what changed.',
    operations: ['fireCause'],
  },
  {
    name: 'advance',
    description:
      'Advance the clock: by duration (32d), to an instant, or until an event. What becomes due happens in order. The clock is frozen otherwise.',
    operations: ['advance'],
  },
  {
    name: 'fault',
    description:
      'Make calls of an operation fail: a vendor error, a delay, a closed connection, a corrupted response. Limit it with count.',
    operations: ['armFault'],
  },
  {
    name: 'clear_faults',
    description: 'Clear all faults of calls, or one by id.',
    operations: ['clearFault', 'clearFaults'],
  },
  {
    name: 'delivery_fault',
    description: 'Send webhooks twice, in another order, late, when you release them, or not at all.',
    operations: ['armDeliveryFault'],
  },
  {
    name: 'pin',
    description: 'Override an external value (a risk level, the output of a run) before it takes effect.',
    operations: ['pin'],
  },
  {
    name: 'explain',
    description: 'Why a call got its response. id: the header X-Mock-Resolution-Trace; without it the newest calls.',
    operations: ['trace', 'traces'],
    unless: FEW,
    reads: true,
  },
  {
    name: 'why',
    description: 'Where the value of a field comes from: the chain of what led to it.',
    operations: ['why'],
    reads: true,
  },
  {
    name: 'deliveries',
    description: 'Webhooks that were sent, newest first, with every attempt and what the receiver returned.',
    operations: ['deliveries'],
    unless: FEW,
    reads: true,
  },
  {
    name: 'diff',
    description: 'What differs between two moments: an entry, an instant, a trace id, a saved name, or world@moment.',
    operations: ['diff'],
    reads: true,
  },
  {
    name: 'save',
    description: 'Save the present moment under a name, to compare with it or to go back to it.',
    operations: ['saveMoment'],
  },
  {
    name: 'rewind',
    description: 'Make an earlier moment the present.',
    operations: ['rewind'],
  },
  {
    name: 'fork',
    description: 'Fork this world. The fork has its own address and key; the other tools take its id as `world`.',
    operations: ['createWorld'],
    unless: { from: {} },
  },
  {
    name: 'reset',
    description: 'Empty the world and rewind its clock.',
    operations: ['reset'],
  },
];

/** Tools that replace a subcommand of another name in error messages. */
const AS_TOOLS: Readonly<Record<string, string>> = { trace: 'explain' };
/** Subcommands that aren't replaced although a tool has the same name: the subcommand `explain` shows the pack. */
const ALONE: readonly string[] = ['explain'];

/** Replaces `sandbox` subcommands in advice with the tools that agents have. */
export function forAgents(advice: string): string {
  return advice.replace(/'sandbox ([\w-]+)[^']*'/g, (_, name: string) => {
    const tool = AS_TOOLS[name] ?? name;
    return !ALONE.includes(name) && TOOLS.some((each) => each.name === tool) ? `the tool ${tool}` : `'sandbox ${name}'`;
  });
}

/** Maximum number of list items in a response. */
const MOST = 20;
/** Maximum length of a text in a response, in characters. */
const LONGEST = 2_000;

/** Shortens a response for an agent: removes empty members unless there are no others, and cuts long lists and texts, with a note. */
export function shortResponse(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST ? `${value.slice(0, LONGEST)}... (${value.length - LONGEST} more characters)` : value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST).map(shortResponse);
    return value.length > MOST
      ? [...items, `... ${value.length - MOST} more: narrow the question, or give limit`]
      : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const there = Object.entries(value).filter(([, each]) => each !== null);
  const full = there.filter(([, each]) => !(Array.isArray(each) && each.length === 0));
  return Object.fromEntries((full.length === 0 ? there : full).map(([name, each]) => [name, shortResponse(each)]));
}
