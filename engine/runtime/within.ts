/** Runs something with a host in a tenant; null: in none. */
export function within<T>(host: { tenant: string | null }, tenant: string | null, run: () => T): T {
  const before = host.tenant;
  host.tenant = tenant;
  try {
    return run();
  } finally {
    host.tenant = before;
  }
}
