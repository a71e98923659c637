import { formatDuration } from '../../engine/world/index.js';
import type { Program } from '../../engine/program/index.js';
import { isObject, type JsonObject } from '../../engine/values/index.js';
import { resourceChapter } from './resource.js';
import { code, rulesText, markdownTable, typeText } from './types.js';
import { versions } from './versions.js';

/** Formats a pack as a readable reference, in Markdown. */
export function reference(pack: Program): string {
  const { settings } = pack.model;
  const lines = [
    `# ${settings.title}`,
    '',
    `Pack ${code(settings.name)} ${settings.version}.${settings.faithfulTo === '' ? '' : ` Faithful to: ${settings.faithfulTo}.`}`,
    `Calls are authenticated by ${settings.auth.schemes.join(' or ')}; bodies are ${settings.requests === 'form' ? 'forms' : 'JSON'}.`,
    '',
    ...contents(pack),
    ...pack.resources.flatMap((resource) => resourceChapter(resource, pack.model)),
    ...chapter('Errors', errors(pack)),
    ...chapter('External events', causes(pack)),
    ...chapter('Test values', magicValues(pack)),
    ...chapter('Seed data', seedData(pack)),
    ...chapter('Scenarios', scenarios(pack)),
    ...chapter('Durations', durations(pack)),
    ...chapter('Outside', outside(pack)),
    ...chapter(
      'Versions of the API',
      versions(pack).map((line) => line.replace(/^##/, '####')),
    ),
  ];
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function contents({ operations }: Program): string[] {
  const rows = operations.flatMap((operation) =>
    operation.routes.map(({ method, path }) => [
      code(`${method} ${path}`),
      `[${operation.key}](#${operation.key.replaceAll('.', '').toLowerCase()})`,
    ]),
  );
  return markdownTable(['Call', 'Operation'], rows);
}

function chapter(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

/** Formats the catalog of errors. */
export function errors({ model }: Program): string[] {
  const file = model.source.one('errors');
  const catalogue = isObject(file?.data)
    ? (file.data as { readonly errors: Readonly<Record<string, JsonObject>> }).errors
    : {};
  const written = [...model.errors.values()].filter(({ name }) => Object.hasOwn(catalogue, name));
  const rows = written.map(({ name, args }) => {
    const body = catalogue[name]?.['body'];
    const message = isObject(body ?? null) ? (body as JsonObject)['message'] : body;
    return [
      code(name),
      String(catalogue[name]?.['status']),
      typeof message === 'string' ? message.replaceAll('|', '\\|') : '',
      [...args.keys()].map(code).join(', '),
    ];
  });
  return markdownTable(['Error', 'Status', 'Message', 'Says'], rows);
}

/** Formats the external events with their parameters. */
export function causes(pack: Program): string[] {
  return [...pack.causes.values()].flatMap((cause) =>
    cause.variants.flatMap(({ description, subject, params }) => {
      const given = [
        ...(subject ? [[code(subject.param), `id of ${subject.resource.name}`, 'required']] : []),
        ...[...params].map(([name, schema]) => [code(name), typeText(schema), rulesText(schema)]),
      ];
      return [
        `### ${cause.name}`,
        '',
        ...(description === '' ? [] : [description, '']),
        ...markdownTable(['Parameter', 'Type', ''], given),
      ];
    }),
  );
}

/** Maximum number of values that a family of test values lists. */
const SHOWN = 60;

function magicValues({ magic }: Program): string[] {
  return magic.families.flatMap((family) => {
    const values = [...family.values().keys()];
    const more = values.length > SHOWN ? ` and ${values.length - SHOWN} more` : '';
    return [
      `### ${family.name}`,
      '',
      `For ${family.resource.title}: ${values.slice(0, SHOWN).map(code).join(', ')}${more}.`,
      '',
    ];
  });
}

/** Formats the scenarios that a request header selects. */
export function scenarios(pack: Program): string[] {
  const rows = [...pack.scenarios().values()].map(({ name, description }) => [code(name), description]);
  return rows.length === 0
    ? []
    : [`A call carries the header ${code('X-Mock-Scenario: NAME')}.`, '', ...markdownTable(['Name', ''], rows)];
}

/** Lists the pack's named seed data. */
export function seedData(pack: Program): string[] {
  const rows = [...pack.seeds().values()].map(({ name, description }) => [code(name), description]);
  return rows.length === 0
    ? []
    : [
        `${code('serve --seed-data NAME')} begins with it, ${code('POST /__admin__/seed {"name": ...}')} inserts it.`,
        '',
        ...markdownTable(['Name', ''], rows),
      ];
}

/** Lists the parts of the vendor API that aren't emulated. */
export function outside({ unsupported }: Program): string[] {
  return markdownTable(
    ['At or below', 'Returns the error', ''],
    unsupported.map(({ path, error, args }) => [
      code(path),
      code(error ?? 'unknown_route'),
      Object.values(args).map(String).join(', '),
    ]),
  );
}

/** Lists the pack's named durations. */
export function durations({ model }: Program): string[] {
  const rows = [...model.settings.durations.values()].map(({ name, defaultMs, description }) => [
    code(name),
    defaultMs !== null && Number.isFinite(defaultMs) ? formatDuration(defaultMs) : 'never ends',
    description,
  ]);
  return rows.length === 0
    ? []
    : [
        `A test changes them with ${code('POST /__admin__/clock/durations')}.`,
        '',
        ...markdownTable(['Name', 'Default', ''], rows),
      ];
}
