import type { Command } from 'commander';
import type { Output } from '../command/output.js';
import type { DocsOptions, ExplainOptions } from './docs.js';
import type { InitOptions } from './init-pack.js';
import type { TypesOptions } from './types.js';

/** Describes the commands that start a pack, and those that show its contents. */
export function addPackCommands(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('init-pack')
    .helpGroup('Packs:')
    .summary('Create a starter pack')
    .description(
      'Writes a small, commented, valid pack with an example. The pack of kind `rest` has a lifecycle, events and a fault.',
    )
    .argument('<name>', 'name of the new pack (below packs/), or a folder')
    .option('--kind <kind>', 'kind of API: rest, graphql, oidc, rpc, xml (default: rest)')
    .option('-q, --quiet', 'print errors only')
    .action(async (name: string, options: InitOptions) => {
      const { initPack } = await import('./init-pack.js');
      done(initPack(name, options, output));
    });

  program
    .command('docs')
    .helpGroup('Packs:')
    .summary('Generate the reference of a pack')
    .description(
      'Prints the reference of a pack as Markdown: operations, parameters, states, events, errors, overrides, durations.',
    )
    .argument('<pack>', 'folder or name of a pack')
    .option('-o, --out <file>', 'write the reference to a file')
    .option('--pages', 'write linked pages into the folder of --out')
    .option('--calls <file>', "with --pages: YAML file with the vendor's calls, which are shown beside the operations")
    .action(async (pack: string, options: DocsOptions) => {
      const { docs } = await import('./docs.js');
      done(await docs(pack, options, output));
    });

  program
    .command('explain')
    .helpGroup('Packs:')
    .summary('Show the YAML behind a name')
    .description('Shows the YAML that defines an operation, an error, an event, a flow or a duration.')
    .argument('<pack>', 'folder or name of a pack')
    .argument('<name>', 'name in the pack, such as orders.create, "POST /v1/orders", card_declined, order.paid')
    .option('--js', 'print the compiled JavaScript instead')
    .action(async (pack: string, name: string, options: ExplainOptions) => {
      const { explainName } = await import('./docs.js');
      done(await explainName(pack, name, options, output));
    });

  program
    .command('types')
    .helpGroup('Packs:')
    .summary('Generate TypeScript types')
    .description(
      "Prints TypeScript types for the control client, with the names of a pack's external events, durations, overrides and so on.",
    )
    .argument('<pack>', 'folder or name of a pack')
    .option('-o, --out <file>', 'write the types to a file')
    .action(async (pack: string, options: TypesOptions) => {
      const { types } = await import('./types.js');
      done(await types(pack, options, output));
    });
}
