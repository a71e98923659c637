/**
 * Whether worlds look like the vendor's in all that a pack says of it (`--set realistic=on`).
 * @param fill replaces `${vars.name}`
 */
export function isRealistic(fill: (text: string) => string): boolean {
  return fill('${vars.realistic}') === 'on';
}
