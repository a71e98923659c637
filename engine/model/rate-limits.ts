import { inside, keyIn, type Diagnostics, type SourceLocation } from './diagnostics.js';
import type { PackFile, RateLimitFile } from './files.js';
import { isHeaderName } from './header-name.js';
import type { Wait } from './waits.js';

/** A rate limit, as pack.yaml declares it. */
export interface RateLimitSettings {
  readonly name: string;
  readonly place: SourceLocation;
  readonly file: RateLimitFile;
  readonly window: Wait;
}

/** Reads `rate_limits`. @param wait returns the wait at a path of pack.yaml */
export function readRateLimits(
  file: PackFile,
  place: SourceLocation,
  diagnostics: Diagnostics,
  wait: (text: string, ...path: string[]) => Wait,
): RateLimitSettings[] {
  return Object.entries(file.rate_limits ?? {}).map(([name, limit]) => {
    const at = inside(place, 'rate_limits', name);
    const window = wait(limit.window, 'rate_limits', name, 'window');
    if (/^(?:0+(?:\.0+)?[a-z]+)+$/.test(limit.window) || (typeof window !== 'number' && window.defaultMs === 0))
      diagnostics.problem(inside(at, 'window'), 'invalid-value', 'a window cannot be of no length');
    if (limit.burst !== undefined && limit.kind !== 'bucket')
      diagnostics.problem(keyIn(at, 'burst'), 'invalid-value', '`burst` is of limits with `kind: bucket`');
    for (const header of Object.keys(limit.headers ?? {})) {
      if (isHeaderName(header)) continue;
      const message = `'${header}' cannot be the name of a header`;
      diagnostics.problem(keyIn(at, 'headers', header), 'invalid-value', message);
    }
    return { name, place: at, file: limit, window };
  });
}
