import type { CompareVersionsOptions } from './compare-versions.js';
import { type Command, Option } from 'commander';
import { portNumber, wholeNumber } from '../command/options.js';
import { Exit, Failure, type Output } from '../command/output.js';
import type { CheckOptions } from './check-contract.js';
import type { NegativeOptions } from './check-negative.js';
import type { FactsCommand } from './facts.js';
import type { FormatCommand } from './fmt.js';
import type { ImportOptions } from './import-openapi.js';
import type { RecordOptions } from './record.js';

/** Describes the commands that create packs from documents and recordings, and maintain them. */
export function addAuthoring(program: Command, output: Output, done: (code: number) => void): void {
  program
    .command('import-openapi')
    .helpGroup('Packs:')
    .summary('Create a pack from an OpenAPI document')
    .description(
      "Creates a pack from a Swagger 2.0, OpenAPI 3.0 or 3.1 document (JSON or YAML): resources with create and read calls keep state, every other operation returns the document's example. The document stays in the pack as its contract.",
    )
    .argument('<file>', 'OpenAPI or Swagger document')
    .argument('<pack>', 'name of the new pack (below packs/), or a folder')
    .option(
      '--include <path>',
      'import only operations at this path, such as /repos/{owner}/{repo}/actions/** (repeatable)',
      collect,
      [],
    )
    .option('--force', 'overwrite existing files')
    .option(
      '--ask',
      'write questions that the document leaves open to import-questions.yaml, or apply your answers in it; your changes to the pack stay',
    )
    .option('--from-client <folder>', "folder of the vendor's installed client, whose names supplement the document")
    .option(
      '--from-recordings <path>',
      'supplement the document with recorded calls: HAR files, cassettes, examples (repeatable)',
      collect,
      [],
    )
    .option('--json', 'print one line of JSON instead of text')
    .option('-q, --quiet', 'print errors only')
    .addHelpText('after', IMPORT_HELP)
    .action(async (file: string, pack: string, options: ImportOptions) => {
      const { importOpenApi } = await import('./import-openapi.js');
      done(await importOpenApi(file, pack, options, output));
    });

  program
    .command('facts')
    .helpGroup('Packs:')
    .summary("Add names and types from a vendor's documents to its pack")
    .description(
      "Reads the vendor's OpenAPI documents and GraphQL schema, and writes names, types and limits of all operations to the pack's facts.yaml. Calls are checked against them where the pack itself declares nothing.",
    )
    .argument('<pack>', 'folder or name of a pack')
    .argument('<document...>', 'OpenAPI documents or GraphQL schemas')
    .option('--from <text>', 'name of the documents in the file (default: their titles)')
    .option('--formats <names>', 'text formats that the vendor enforces, such as date,uuid', names, [])
    .option(
      '--since <version>',
      'first API version to which the documents apply; only differences from the previous version are written',
    )
    .option('--check', 'write nothing; exit with 1 if the file is out of date')
    .option('-q, --quiet', 'print errors only')
    .addHelpText('after', FACTS_HELP)
    .action(async (pack: string, documents: readonly string[], options: FactsCommand) => {
      const { facts } = await import('./facts.js');
      done(await facts(pack, documents, options, output));
    });

  program
    .command('check-contract')
    .helpGroup('Packs:')
    .summary('Check responses against an OpenAPI document')
    .description(
      'Calls every operation of a document, makes random sequences of calls, runs the examples of the pack, and compares every response with the document.',
    )
    .argument('<pack>', 'folder or name of a pack')
    .argument('[document]', "OpenAPI document (default: the pack's openapi.json)")
    .option('--seed <number>', 'random seed of the sequences', wholeNumber, 1)
    .option('--examples', "send the document's own examples instead, and count those with a usable response")
    .option('--least <percent>', 'with --examples: exit with 1 if fewer are usable', wholeNumber, 0)
    .option('--negative', 'violate each constraint of the document once, and list the calls that the pack accepts')
    .option('--most <percent>', 'with --negative: exit with 1 if more are accepted', wholeNumber, 0)
    .option('--all', 'list every operation, not only operations with problems')
    .option('--json', 'print one line of JSON instead of text')
    .addHelpText('after', CHECK_HELP)
    .action(async (pack: string, document: string | undefined, options: CheckOptions & NegativeOptions) => {
      if (options.negative) {
        const { checkNegative } = await import('./check-negative.js');
        return done(await checkNegative(pack, document, options, output));
      }
      const { checkContract } = await import('./check-contract.js');
      done(await checkContract(pack, document, options, output));
    });

  program
    .command('export-openapi')
    .helpGroup('Packs:')
    .summary('Export a pack as an OpenAPI document')
    .description('Prints a pack as an OpenAPI 3.1 document (JSON), for generators of types and clients.')
    .argument('<pack>', 'folder or name of a pack')
    .option('-o, --out <file>', 'write the document to a file')
    .action(async (pack: string, options: { readonly out?: string }) => {
      const { exportOpenApi } = await import('./export-openapi.js');
      done(await exportOpenApi(pack, options, output));
    });

  program
    .command('record')
    .helpGroup('Packs:')
    .summary('Record calls to the real vendor')
    .description(
      'Starts a proxy between an application and a vendor, and saves the calls without secrets as an example of a pack. Or converts VCR and vcrpy cassettes, HAR files and nock recordings to an example.',
    )
    .argument('<target>', "the vendor's address, or a recording: a file or a folder")
    .requiredOption('--to <pack>', 'folder of the pack')
    .option(
      '--seed-file <file>',
      'write seed data instead, if the pack can convert recorded calls to seed data (models); --to may be a name',
    )
    .option('-p, --port <number>', 'port to listen on; 0: any free port', portNumber, 0)
    .option('--name <name>', 'name of the example', 'recorded')
    .addOption(
      new Option('--hide <kinds...>', 'personal data to replace, besides secrets')
        .choices(['email', 'card'])
        .default([]),
    )
    .action(async (target: string, options: RecordOptions) => {
      const { record } = await import('./record.js');
      done(await record(target, options, output));
    });

  program
    .command('compare')
    .helpGroup('Packs:')
    .summary('Compare a recording, or two API versions')
    .description(
      'Replays recorded calls (VCR, vcrpy, HAR, nock, examples written by `record`) against a pack, and lists the differences field by field, with the fewest calls that show them. Or replays a saved run (`sandbox export`) in two versions of the API, and lists the differences for an application.',
    )
    .argument('<pack>', 'folder or name of a pack; with --version: file of a saved run')
    .argument('[recording]', 'file or folder of recordings')
    .option('--version <version>', 'API version to compare; give two', collect)
    .option('--pack <pack>', "with --version: the pack's folder or name (default: the one named in the file)")
    .option('--gone', 'with --version: list only fields that the second version lacks')
    .option('--fields <names>', 'with --version: list only these fields (names or paths, separated by commas)', names)
    .option('--json', 'print one line of JSON instead of text')
    .addHelpText('after', COMPARE_HELP)
    .action(async (given: string, recording: string | undefined, options: CompareOptions) => {
      if (options.version !== undefined) {
        const { compareVersions } = await import('./compare-versions.js');
        return done(await compareVersions(given, options.version, options, output));
      }
      if (recording === undefined)
        throw new Failure(
          Exit.cannotRun,
          'recording_missing',
          'name a recording, or two versions: --version X --version Y',
        );
      const { compareRecording } = await import('./compare.js');
      done(await compareRecording(given, recording, options, output));
    });

  program
    .command('fmt')
    .helpGroup('Packs:')
    .summary('Format packs')
    .description('Normalizes spaces, line ends and blank lines of YAML files. Comments, quotes and the meaning stay.')
    .argument('[paths...]', 'files and folders (default: every folder of packs/)')
    .option('--check', 'change nothing, and list the files that are not formatted')
    .option(
      '--short',
      'also write the short forms: =expression, names without a colon, shared parameters, errors with defaults',
    )
    .option('--json', 'print one line of JSON instead of text')
    .addHelpText('after', '\nExit codes: 0 done, 1 a file is not formatted (--check) or is no YAML.')
    .action(async (paths: string[], options: FormatCommand) => {
      const { fmt } = await import('./fmt.js');
      done(fmt(paths, options, output));
    });

  program
    .command('lsp')
    .helpGroup('Packs:')
    .summary('Start a language server for editors')
    .description(
      'Starts a language server: problems as validate-pack reports them, completion, hover, definitions, references, rename. For any editor that supports LSP (docs/guides/editors.md).',
    )
    .option('--stdio', 'use standard input and output; the default, since editors pass this option')
    .action(async () => {
      const { lsp } = await import('../lsp/server.js');
      done(await lsp());
    });
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

const IMPORT_HELP = `
Examples:
  sandbox import-openapi openapi.yaml boats
  sandbox import-openapi github.json ci --include '/repos/{owner}/{repo}/actions/**'

* matches one segment of a path, ** any number of segments. The pack's import.md lists what you can decide.
Exit codes: 0 done, 1 the document cannot be used, 2 there is no such file, or the pack cannot be written there.`;

const FACTS_HELP = `
Examples:
  sandbox facts boats openapi.yaml
  sandbox facts packs/boats core.json hooks.json --from 'boats/openapi at 4f1c2a9' --formats date
  sandbox facts boats openapi-2026.yaml --since 2026-05-01
  sandbox facts boats schema.graphql

A GraphQL schema adds the names of its types. Differences that you wrote (differs) stay.
Exit codes: 0 done, 1 a document cannot be used or (--check) the file is out of date, 2 there is no such file or pack.`;

interface CompareOptions extends CompareVersionsOptions {
  readonly version?: readonly string[];
}

/** Splits a list at commas. */
function names(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

const COMPARE_HELP = `
Examples:
  sandbox compare packs/bikes recording.har
  sandbox compare bug.sandbox --version 2024-12-18.acacia --version 2026-10-28.endive --gone

Of a saved run, only calls that change something are repeated; "objects at the end" lists what reads would return.
Exit codes: 0 no differences, 1 there are differences, 2 there is no such pack, recording or version, or invalid options.`;

const CHECK_HELP = `
--negative makes a valid call of each operation (from examples of the pack or the document, or generated from seed data), violates each constraint
of the document once, and lists the calls that the pack accepts anyway. Without a document, it uses the facts of the pack.
Exit codes: 0 every response conforms, 1 a response does not, 2 there is no such pack or document, or invalid options.`;
