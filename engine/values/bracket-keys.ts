/** Splits a name with brackets, as forms have them: `items[0][price]` to the keys `items`, `0` and `price`. */
export function keysOfBrackets(name: string): string[] {
  return name.split(/[[\]]+/).filter((key) => key !== '');
}
