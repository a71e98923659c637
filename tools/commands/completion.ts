import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What a shell runs at its start so that the tab key completes `sandbox`; it asks the command itself. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return `_sandbox() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(sandbox complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _sandbox sandbox`;
    case 'zsh':
      return `#compdef sandbox
_sandbox() {
  local -a found
  found=("\${(@f)$(sandbox complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found" ]] && compadd -- $found || _files
}
compdef _sandbox sandbox`;
    case 'fish':
      return `complete -c sandbox -a '(sandbox complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`;
  }
}

/**
 * What may stand where the last word does: subcommands, options, the choices of an option.
 * @param words behind \`sandbox\`; the last one is begun, or empty
 */
export function completions(program: Command, words: readonly string[]): string[] {
  const begun = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) command = command.commands.find((each) => each.name() === word) ?? command;
  const before = words.at(-2);
  const option = command.options.find(
    ({ long, short }) => before !== undefined && (long === before || short === before),
  );
  const takesValue = option !== undefined && (option.required || option.optional);
  const possible = takesValue
    ? (option.argChoices ?? [])
    : begun.startsWith('-')
      ? [...command.options.flatMap(({ long }) => long ?? []), '--help']
      : command.commands.map((each) => each.name()).filter((name) => name !== 'complete');
  return possible.filter((each) => each.startsWith(begun));
}
