import type { Command } from 'commander';
import type { Output } from '../command/output.js';
import type { WorldsOptions } from './worlds.js';

/** Describes `sandbox worlds`. */
export function addWorlds(program: Command, output: Output, done: (code: number) => void): void {
  const worlds = program
    .command('worlds')
    .helpGroup('Worlds:')
    .summary('Manage a store file')
    .description('Manages a file of `sandbox serve --store` while no server uses it.')
    .helpCommand(false)
    .addHelpText('after', WORLDS_HELP);
  const action =
    (name: 'list' | 'export' | 'import' | 'compact' | 'check' | 'repair') =>
    async (store: string, ...rest: unknown[]): Promise<void> => {
      const { worldsCommand } = await import('./worlds.js');
      // Commander passes the command's arguments, then the options, then the command itself.
      const subject = rest.length > 2 ? rest[0] : undefined;
      const options = rest[rest.length - 2] as WorldsOptions;
      done(await worldsCommand(name, store, typeof subject === 'string' ? subject : undefined, options, output));
    };
  worlds
    .command('list')
    .description('Lists the worlds of a store: pack, last entry, snapshot, size.')
    .argument('<store>', 'file of the store')
    .option('--json', 'print JSON')
    .action(action('list'));
  worlds
    .command('export')
    .description('Writes one world with its history and snapshot to a file.')
    .argument('<store>', 'file of the store')
    .argument('<world>', 'id or name of a world')
    .option('-o, --out <file>', 'output file (default: NAME.world)')
    .option('--json', 'print JSON')
    .action(action('export'));
  worlds
    .command('import')
    .description('Creates a world from an exported one. Its key and the ids of its objects stay unchanged.')
    .argument('<store>', 'file of the store, which is created if it does not exist')
    .argument('<file>', 'file written by `sandbox worlds export`')
    .option('--name <name>', 'another name for the world')
    .option('--json', 'print JSON')
    .action(action('import'));
  worlds
    .command('compact')
    .description('Merges small blocks and frees disk space. No data is lost, unless you use --forget.')
    .argument('<store>', 'file of the store')
    .argument('[world]', 'id or name of a world (default: all)')
    .option('--forget', 'delete the history before the last snapshot, which no start needs')
    .option('--json', 'print JSON')
    .action(action('compact'));
  worlds
    .command('check')
    .description('Reads everything in a store and reports damage.')
    .argument('<store>', 'file of the store')
    .argument('[world]', 'id or name of a world (default: all)')
    .option('--json', 'print JSON')
    .action(action('check'));
  worlds
    .command('repair')
    .description(
      'Writes the undamaged parts of a damaged world to a file for `sandbox worlds import`. The store stays unchanged.',
    )
    .argument('<store>', 'file of the store')
    .argument('<world>', 'id or name of a world')
    .option('-o, --out <file>', 'output file (default: NAME.repaired.world)')
    .option('--json', 'print JSON')
    .action(action('repair'));
}

/** Describes `sandbox store`. */
export function addStore(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('store')
    .helpGroup('Worlds:')
    .summary('Manage a PostgreSQL store')
    .description('Manages the database of `sandbox serve --store postgres://...`.')
    .helpCommand(false)
    .command('migrate')
    .description('Creates or updates the tables. Every start of a server does the same.')
    .argument('<store>', 'postgres://user:password@host:port/database')
    .option('--json', 'print JSON')
    .action(async (store: string, options: { readonly json?: boolean }) => {
      const { migrateStore } = await import('./store.js');
      done(await migrateStore(store, options, output));
    });
}

const WORLDS_HELP = `
Examples:
  sandbox worlds list ./sandbox.db
  sandbox worlds export ./sandbox.db main --out main.world
  sandbox worlds import ./other.db main.world --name copy
  sandbox worlds compact ./sandbox.db --forget
  sandbox worlds check ./sandbox.db
  sandbox worlds repair ./sandbox.db main

Exit codes: 0 done, 1 data is damaged, or a repair loses data, 2 it cannot be done (no such file or world, another sandbox uses the file).`;
