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
      'Writes a small, commented, valid pack of a kind with an example. That of `rest` has a lifecycle, events and a fault.',
    )
    .argument('<name>', 'name of the pack (it comes into packs/), or a folder')
    .option('--kind <kind>', 'what the API is: rest, graphql, oidc, rpc, xml (default: rest)')
    .option('-q, --quiet', 'print errors only')
    .action(async (name: string, options: InitOptions) => {
      const { initPack } = await import('./init-pack.js');
      done(initPack(name, options, output));
    });

  program
    .command('docs')
    .helpGroup('Packs:')
    .summary('Generate the reference of a pack')
    .description('Prints a pack as Markdown: operations, parameters, states, events, errors, pins, durations.')
    .argument('<pack>', 'folder or name of a pack')
    .option('-o, --out <file>', 'write it to a file')
    .option('--pages', 'a folder of linked pages, which --out names')
    .option('--calls <file>', "with --pages: the vendor's calls, shown beside the operations")
    .action(async (pack: string, options: DocsOptions) => {
      const { docs } = await import('./docs.js');
      done(await docs(pack, options, output));
    });

  program
    .command('explain')
    .helpGroup('Packs:')
    .summary('Show the YAML behind a name')
    .description('Shows what happens, from the YAML: of an operation, an error, an event, a flow or a duration.')
    .argument('<pack>', 'folder or name of a pack')
    .argument('<name>', 'such as orders.create, "POST /v1/orders", card_declined, order.paid')
    .option('--js', 'print its compiled JavaScript')
    .action(async (pack: string, name: string, options: ExplainOptions) => {
      const { explainName } = await import('./docs.js');
      done(await explainName(pack, name, options, output));
    });

  program
    .command('types')
    .helpGroup('Packs:')
    .summary('Generate TypeScript types')
    .description('Prints types for the control client: the external events, durations, pins and so on of a pack.')
    .argument('<pack>', 'folder or name of a pack')
    .option('-o, --out <file>', 'write them to a file')
    .action(async (pack: string, options: TypesOptions) => {
      const { types } = await import('./types.js');
      done(await types(pack, options, output));
    });
}
