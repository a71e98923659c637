import type { Command } from 'commander';
import type { Output } from '../command/output.js';
import type { WorldsOptions } from './worlds.js';

/** Describes `sandbox worlds`. */
export function addWorlds(program: Command, output: Output, done: (code: number) => void): void {
  const worlds = program
    .command('worlds')
    .helpGroup('Worlds:')
    .summary('Manage a store file')
    .description('Works on a file of `sandbox serve --store` while no server has it open.')
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
    .description('Shows the worlds of a store: pack, last entry, snapshot, what they take up.')
    .argument('<store>', 'the file')
    .option('--json', 'print JSON')
    .action(action('list'));
  worlds
    .command('export')
    .description('Writes one world, history and snapshot, to a file.')
    .argument('<store>', 'the file')
    .argument('<world>', 'id or name of a world')
    .option('-o, --out <file>', 'where to (default: NAME.world)')
    .option('--json', 'print JSON')
    .action(action('export'));
  worlds
    .command('import')
    .description('Creates a world from an exported one, with its key; ids of its objects stay unchanged.')
    .argument('<store>', 'the file; it is made if there is none')
    .argument('<file>', 'what `sandbox worlds export` wrote')
    .option('--name <name>', 'another name for it')
    .option('--json', 'print JSON')
    .action(action('import'));
  worlds
    .command('compact')
    .description('Merges small blocks and returns the space to the disk. Nothing is lost.')
    .argument('<store>', 'the file')
    .argument('[world]', 'id or name of a world (default: all)')
    .option('--forget', 'drop what lies before the last snapshot: no start needs it')
    .option('--json', 'print JSON')
    .action(action('compact'));
  worlds
    .command('check')
    .description('Reads everything in a store and reports what is damaged.')
    .argument('<store>', 'the file')
    .argument('[world]', 'id or name of a world (default: all)')
    .option('--json', 'print JSON')
    .action(action('check'));
  worlds
    .command('repair')
    .description(
      'Writes what is sound of a damaged world to a file for `sandbox worlds import`. The worlds in the store stay as they are.',
    )
    .argument('<store>', 'the file')
    .argument('<world>', 'id or name of a world')
    .option('-o, --out <file>', 'where to (default: NAME.repaired.world)')
    .option('--json', 'print JSON')
    .action(action('repair'));
}

/** Describes `sandbox store`. */
export function addStore(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('store')
    .helpGroup('Worlds:')
    .summary('Manage a PostgreSQL store')
    .description('Works on the database of `sandbox serve --store postgres://...`.')
    .helpCommand(false)
    .command('migrate')
    .description('Creates or updates the tables; every start does the same.')
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

Exit codes: 0 done, 1 something is damaged, or lost in a repair, 2 it cannot be done (no such file or world, another sandbox has it open).`;
