import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Returns the script that enables Tab completion of `sandbox` in a shell; the script calls the command itself. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return `_sandbox() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(sandbox complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ "\${COMPREPLY[0]}" != *= ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _sandbox sandbox`;
    case 'zsh':
      return `#compdef sandbox
_sandbox() {
  local -a found
  found=("\${(@f)$(sandbox complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "$found" ]]; then _files
  elif [[ "\${found[1]}" == *= ]]; then compadd -S '' -- $found
  else compadd -- $found; fi
}
compdef _sandbox sandbox`;
    case 'fish':
      return `complete -c sandbox -a '(sandbox complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`;
  }
}

/**
 * Lists possible last words: subcommands, options, choices of an option, names of the pack.
 * @param words after `sandbox`; the last one is incomplete or empty
 */
export async function completions(program: Command, words: readonly string[]): Promise<string[]> {
  const begun = words.at(-1) ?? '';
  let command = program;
  const before: string[] = [];
  let option: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const sub = command.commands.find((each) => each.name() === word);
    if (sub) command = sub;
    else if (word.startsWith('-')) option = optionCalled(command, word);
    else if (option) option = undefined;
    else before.push(word);
    if (option && !option.required && !option.optional) option = undefined;
  }
  const possible = await possibleAt(command, before, option, begun);
  return possible.filter((each) => each.startsWith(begun));
}

async function possibleAt(
  command: Command,
  before: readonly string[],
  option: Option | undefined,
  begun: string,
): Promise<readonly string[]> {
  if (option) return option.argChoices ?? valuesAt(command, option.long ?? '', before);
  if (begun.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const subcommands = command.commands.map((each) => each.name()).filter((name) => name !== 'complete');
  if (subcommands.length > 0) return subcommands;
  const { registeredArguments: known } = command;
  const last = known.at(-1);
  const argument = known.at(before.length) ?? (last?.variadic ? last : undefined);
  return argument ? (argument.argChoices ?? valuesAt(command, argument.name(), before)) : [];
}

/** Finds possible values of an argument or option; empty if there are none. */
async function valuesAt(command: Command, name: string, before: readonly string[]): Promise<readonly string[]> {
  const { valuesFor } = await import('./complete-values.js');
  return valuesFor({ command: command.name(), name: name.replaceAll('_', '-'), before }).catch(() => []);
}

function optionCalled(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => long === word || short === word);
}
