/** The keys of a name with brackets, as forms have them: those of `items[0][price]` are `items`, `0` and `price`. */
export function keysOfBrackets(name: string): string[] {
  return name.split(/[[\]]+/).filter((key) => key !== '');
}
