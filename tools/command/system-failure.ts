import { getSystemErrorMap } from 'node:util';
import { isNativeError } from 'node:util/types';
import { Exit, Failure } from './output.js';

/** Creates the failure for a system error about a file, a folder or a port; undefined for other errors. */
export function systemFailure(error: unknown): Failure | undefined {
  if (!(isNativeError(error) && 'syscall' in error && 'code' in error)) return undefined;
  if ('port' in error && 'address' in error) return cannotListen(error, Number(error.port), String(error.address));
  if (!('path' in error && typeof error.path === 'string')) return undefined;
  const { path } = error;
  const said = [...getSystemErrorMap().values()].find(([name]) => name === error.code);
  return new Failure(Exit.cannotRun, 'file_refused', `${path}: ${said?.[1] ?? String(error.code)}`);
}

/** Explains why a server can't listen; undefined if the error has another cause. */
export function cannotListen(error: unknown, port: number, host: string): Failure | undefined {
  const code = isNativeError(error) && 'code' in error ? String(error.code) : '';
  const failure = (name: string, message: string, advice: string): Failure =>
    new Failure(Exit.cannotRun, name, message, advice);
  const taken = isNativeError(error) && 'port' in error ? Number(error.port) : port;
  switch (code) {
    case 'EADDRINUSE':
      if (taken !== port)
        return failure(
          'port_taken',
          `port ${taken} of ${host} is taken`,
          'Stop what listens there (another sandbox?), or choose another port where this one is given, such as a company file.',
        );
      return failure(
        'port_taken',
        `port ${port} of ${host} is taken`,
        `Stop what listens there (another sandbox?), or choose another port: --port ${port < 65_535 ? port + 1 : 8801}, or --port 0 for any free one.`,
      );
    case 'EACCES':
      return failure(
        'port_forbidden',
        `port ${port} of ${host} may not be used`,
        'Choose a port above 1023: --port 8801.',
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failure(
        'host_unknown',
        `'${host}' is no address of this machine`,
        'Use --host 127.0.0.1, or 0.0.0.0 to let other machines in.',
      );
    default:
      return undefined;
  }
}
