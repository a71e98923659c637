/** The name of a time owner among the world's clocks: its id, behind the tenant that it belongs to. */
export function lineName(tenant: string | null, id: string): string {
  return tenant === null ? id : `${tenant} ${id}`;
}

/** The owner that `lineName` has named. */
export function ownerOf(line: string): { readonly id: string; readonly tenant?: string } {
  const at = line.indexOf(' ');
  return at < 0 ? { id: line } : { tenant: line.slice(0, at), id: line.slice(at + 1) };
}
