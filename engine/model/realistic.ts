/**
 * Whether worlds hide that they are emulated, in descriptions and headers (`--set realistic=on`).
 * @param fill replaces `${vars.name}`
 */
export function isRealistic(fill: (text: string) => string): boolean {
  return fill('${vars.realistic}') === 'on';
}
