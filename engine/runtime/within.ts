/** Runs a function with a tenant (null: none) as the host's current one, and then restores the previous tenant. */
export function within<T>(host: { tenant: string | null }, tenant: string | null, run: () => T): T {
  const before = host.tenant;
  host.tenant = tenant;
  try {
    return run();
  } finally {
    host.tenant = before;
  }
}
