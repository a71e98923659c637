import { existsSync, readFileSync } from 'node:fs';

/**
 * Formats environment variables for dotenv and shells. Values are quoted only if needed, since container engines read quotes as part of the value.
 */
export function environmentFile(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${quotedValue(value)}\n`)
    .join('');
}

function quotedValue(value: string): string {
  if (/^[\w.,:/@%+=-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value.replace(/["\\$`]/g, '\\$&')}"` : `'${value}'`;
}

/** Whether a file is missing or was written by `sandbox up`; others aren't replaced. */
export function isOwnEnvironmentFile(path: string): boolean {
  return !existsSync(path) || /^$|^SANDBOX_URL=/.test(readFileSync(path, 'utf8'));
}
