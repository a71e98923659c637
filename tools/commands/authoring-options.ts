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
    .argument('<file>', 'the document')
    .argument('<pack>', 'name of the pack (it comes into packs/), or a folder')
    .option(
      '--include <path>',
      'only operations at this path, as /repos/{owner}/{repo}/actions/** (repeatable)',
      collect,
      [],
    )
    .option('--force', 'overwrite existing files')
    .option(
      '--ask',
      'ask what the document leaves open, or take the answers of import-questions.yaml; what you changed in the pack stays',
    )
    .option('--from-client <folder>', "the vendor's installed client: its names count where the document has none")
    .option(
      '--from-recordings <path>',
      'learn from recorded calls of the vendor: HAR files, cassettes, examples (repeatable)',
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
    .summary("Write the facts of a vendor's documents into its pack")
    .description(
      "Reads the vendor's OpenAPI documents and GraphQL schema and writes names, types and bounds of all operations to facts.yaml of the pack. Where the pack declares nothing, they check calls.",
    )
    .argument('<pack>', 'folder or name of a pack')
    .argument('<document...>', 'the documents')
    .option('--from <text>', 'what the documents are called in the file (default: their titles)')
    .option('--formats <names>', 'forms of text that the vendor enforces, as date,uuid', names, [])
    .option('--since <version>', 'the documents hold from this version of the pack on: write what differs')
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
      'Calls every operation of a document and walks among them at random, runs the examples of the pack, and compares every response with the document.',
    )
    .argument('<pack>', 'folder or name of a pack')
    .argument('[document]', "the document (default: the pack's openapi.json)")
    .option('--seed <number>', 'what the walk is drawn from', wholeNumber, 1)
    .option('--examples', "play the document's own examples and count those with a usable response")
    .option('--least <percent>', 'with --examples: exit with 1 below this share', wholeNumber, 0)
    .option('--negative', 'break each constraint of the document once and list the calls that the pack accepts')
    .option('--most <percent>', 'with --negative: exit with 1 above this share', wholeNumber, 0)
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
    .description('Prints a pack as an OpenAPI 3.1 document (JSON), from which generators make types and clients.')
    .argument('<pack>', 'folder or name of a pack')
    .option('-o, --out <file>', 'write it to a file')
    .action(async (pack: string, options: { readonly out?: string }) => {
      const { exportOpenApi } = await import('./export-openapi.js');
      done(await exportOpenApi(pack, options, output));
    });

  program
    .command('record')
    .helpGroup('Packs:')
    .summary('Record calls to the real vendor')
    .description(
      'Stands between an application and a vendor and keeps what passes, without secrets, as an example; or makes examples of VCR and vcrpy cassettes, HAR files and nock recordings.',
    )
    .argument('<target>', "the vendor's address, or a recording: a file or a folder")
    .requiredOption('--to <pack>', 'folder of the pack')
    .option(
      '--seed-file <file>',
      'write seed data instead, where the pack makes some of recorded calls (models: scripts); --to may be a name',
    )
    .option('-p, --port <number>', 'port to listen on; 0 takes any free one', portNumber, 0)
    .option('--name <name>', 'name of the example', 'recorded')
    .addOption(
      new Option('--hide <kinds...>', 'personal data that gets another value, beside secrets')
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
      'Plays recorded calls (VCR, vcrpy, HAR, nock, examples that `record` wrote) against a pack and lists field by field what differs, with the fewest calls that show it. Or repeats what a file of GET /__admin__/export holds in two versions of the API and lists what an application would see differently.',
    )
    .argument('<pack>', 'folder or name of a pack; with --version the file of a run')
    .argument('[recording]', 'a file, or a folder of recordings')
    .option('--version <version>', 'a version of the API; given twice', collect)
    .option('--pack <pack>', "with --version: the pack's folder or name (default: the one that the file names)")
    .option('--gone', 'with --version: only fields that the second version no longer has')
    .option('--fields <names>', 'with --version: only these fields (names or paths, separated by commas)', names)
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
    .description(
      'Puts spaces, ends of lines and blank lines of YAML files right. Comments, quotes and what it means stay.',
    )
    .argument('[paths...]', 'files and folders (default: every folder of packs/)')
    .option('--check', 'change nothing: list the files that are not in shape')
    .option(
      '--short',
      'also write the short forms: =expression, names without a colon, shared parameters, errors with defaults',
    )
    .option('--json', 'print one line of JSON instead of text')
    .addHelpText('after', '\nExit codes: 0 done, 1 a file is not in shape (--check) or no YAML.')
    .action(async (paths: string[], options: FormatCommand) => {
      const { fmt } = await import('./fmt.js');
      done(fmt(paths, options, output));
    });

  program
    .command('lsp')
    .helpGroup('Packs:')
    .summary('Start a language server for editors')
    .description(
      'A language server: problems as validate-pack reports them, completion, hover, definitions, references, rename. For any editor that speaks LSP (docs/guides/editors.md).',
    )
    .option('--stdio', 'what editors pass; there is no other way')
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

* stands for a part of a path between slashes, ** for any number of them. What there is to decide is in import.md of the pack.
Exit codes: 0 done, 1 the document cannot be used, 2 there is no such file, or the pack cannot stand there.`;

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

Of a run, calls that change something are repeated; what a failing read would show is under "objects at the end".
Exit codes: 0 nothing differs, 1 something does, 2 there is no such pack, recording or version, wrong options.`;

const CHECK_HELP = `
--negative makes a valid call of each operation (from the pack's examples, the document's, or made up on its seed data), breaks each constraint
of the document once, and lists what is accepted all the same; without a document it uses the facts of the pack.
Exit codes: 0 the document has nothing against any answer, 1 it has, 2 there is no such pack or document, wrong options.`;
