/** The name of a time owner's clock: its id, after its tenant. */
export function lineName(tenant: string | null, id: string): string {
  return tenant === null ? id : `${tenant} ${id}`;
}

/** The owner in a name made by `lineName`. */
export function ownerOf(line: string): { readonly id: string; readonly tenant?: string } {
  const at = line.indexOf(' ');
  return at < 0 ? { id: line } : { tenant: line.slice(0, at), id: line.slice(at + 1) };
}
