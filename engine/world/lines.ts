/** Returns the name of a time owner's clock: the owner's id, after that of its tenant. */
export function lineName(tenant: string | null, id: string): string {
  return tenant === null ? id : `${tenant} ${id}`;
}

/** Parses the name of a clock to the time owner's id and tenant. */
export function ownerOf(line: string): { readonly id: string; readonly tenant?: string } {
  const at = line.indexOf(' ');
  return at < 0 ? { id: line } : { tenant: line.slice(0, at), id: line.slice(at + 1) };
}
