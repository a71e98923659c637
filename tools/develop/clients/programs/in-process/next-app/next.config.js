import { dirname } from 'node:path';

export default {
  serverExternalPackages: ['@vendor-sandbox/sandbox'],
  output: 'standalone',
  // Otherwise a lockfile in a folder above changes where the build places the server.
  outputFileTracingRoot: dirname(import.meta.dirname),
};
