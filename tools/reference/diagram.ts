import type { MachineConfig, TransitionsConfig } from '../../engine/machine/index.js';

/** Formats a machine as a Mermaid state diagram. */
export function diagram(machine: MachineConfig): string[] {
  const lines = ['```mermaid', 'stateDiagram-v2', `  [*] --> ${id(machine.initial)}`];
  const states = Object.entries(machine.states);
  for (const [name] of states) if (id(name) !== name) lines.push(`  state "${name}" as ${id(name)}`);
  for (const [name, state] of states) {
    const node = state ?? {};
    const ways = [
      ...Object.entries(node.on ?? {}).flatMap(([trigger, way]) => arrows(name, trigger, way)),
      ...Object.entries(node.after ?? {}).flatMap(([delay, way]) => arrows(name, `after ${delay}`, way)),
      ...arrows(name, 'always', node.always),
    ];
    lines.push(...ways);
    const leaves = ways.length > 0;
    if (!leaves || node.type === 'final') lines.push(`  ${id(name)} --> [*]`);
  }
  for (const [trigger, way] of Object.entries(machine.on ?? {})) {
    lines.push(...arrows('[*]', trigger, way).map((line) => line.replace('[*]', '%% from every state:')));
  }
  return [...lines, '```', ''];
}

function arrows(from: string, label: string, way: TransitionsConfig | undefined): string[] {
  if (way === undefined || way === null) return [];
  if (typeof way === 'string') return [arrow(from, way, label)];
  if (isList(way)) return way.flatMap((each) => arrows(from, label, each));
  const { target, guard } = way;
  return [arrow(from, target ?? from, guard === undefined ? label : `${label} [${guard}]`)];
}

function arrow(from: string, target: string, label: string): string {
  const to = target.replace(/^\./, '');
  return `  ${from === '[*]' ? from : id(from)} --> ${id(to)}: ${label.replaceAll(/[:;#\n]/g, ' ')}`;
}

/** Converts a name to one that Mermaid accepts: without dashes. */
function id(name: string): string {
  return name.replaceAll('-', '_');
}

function isList(way: TransitionsConfig): way is Extract<TransitionsConfig, readonly unknown[]> {
  return Array.isArray(way);
}
