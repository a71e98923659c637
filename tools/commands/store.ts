import { PgStore, StoreError } from '../../engine/index.js';
import { Exit, Failure, type Output } from '../command/output.js';

/** Runs `sandbox store migrate STORE` and returns the exit code. @throws Failure if it isn't possible */
export async function migrateStore(
  store: string,
  { json }: { readonly json?: boolean },
  output: Output,
): Promise<number> {
  if (!/^postgres(?:ql)?:/.test(store))
    throw new Failure(
      Exit.cannotRun,
      'store_invalid',
      'the store is written postgres://user:password@host:port/database',
    );
  try {
    const { from, to } = await PgStore.migrate(store);
    const text = from === to ? `its tables have format ${to} already` : `its tables have format ${to} now`;
    output.print(json ? JSON.stringify({ from, to }) : text);
    return Exit.done;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new Failure(Exit.cannotRun, `store_${error.code}`, error.message);
  }
}
