import type { OperationChangeFile, ResourceChangeFile, TypeFile, VersionFile } from '../../engine/model/index.js';
import type { Program } from '../../engine/program/index.js';
import { code } from './types.js';

/** Lists the changes of each version of the vendor API, the newest last. Empty for a pack without versions. */
export function versions({ model }: Program): string[] {
  const list = model.settings.versions?.list;
  if (!list) return [];
  const files = new Map(
    model.source.all('version').map(({ data }) => [(data as VersionFile).version, data as VersionFile]),
  );
  const header = code(model.settings.versions?.headers[0] ?? '');
  return [
    `A call names the version that it needs in the header ${header}; without it, it is served in ${code(model.settings.versions?.current ?? list.base)}.`,
    `Everything is stored as ${code(list.base)} shows it${list.same.size > 0 ? `, which is also what ${names([...list.same])} get` : ''}.`,
    'Each version below lists its changes against the previous version.',
    '',
    ...list.newer.flatMap((name) => {
      const file = files.get(name);
      return file ? versionSection(file) : [];
    }),
  ];
}

function versionSection({ version, same = [], later, changes }: VersionFile): string[] {
  const alike = [
    ...(same.length > 0 ? [names(same)] : []),
    ...(later === undefined ? [] : ['later ones of this name']),
  ];
  return [
    `## ${version}`,
    '',
    ...(alike.length > 0 ? [`The same: ${alike.join(', and ')}.`, ''] : []),
    ...changes.flatMap(({ title, description, resources = {}, operations = {}, switches = [] }) => [
      `### ${title}`,
      '',
      ...(description === undefined ? [] : [description, '']),
      ...Object.entries(resources).map(([name, change]) => `- ${code(name)}: ${resourceText(change)}`),
      ...Object.entries(operations).map(([key, change]) => `- call ${code(key)}: ${operationText(change)}`),
      ...(switches.length > 0 ? [`- behaves otherwise: ${names(switches)}`] : []),
      '',
    ]),
  ];
}

function resourceText({ remove, rename, add, change }: ResourceChangeFile): string {
  return parts([
    ['gone', remove],
    ['renamed', renamed(rename)],
    ['new', add && described(add)],
    ['shown otherwise', change && described(change)],
  ]);
}

function operationText({ exists, remove, rename, add, move, refuse: rejected }: OperationChangeFile): string {
  const whole = exists === undefined ? [] : [exists ? 'is there from here on' : 'is gone'];
  return [
    ...whole,
    parts([
      ['no parameter', remove],
      ['renamed', renamed(rename)],
      ['new parameter', add && Object.keys(add)],
      ['parameter in another shape', move && Object.keys(move)],
      ['rejected', rejected && Object.keys(rejected)],
    ]),
  ]
    .filter((text) => text !== '')
    .join('; ');
}

function renamed(rename: Readonly<Record<string, string>> | undefined): string[] | undefined {
  return rename && Object.entries(rename).map(([old, name]) => `${old} to ${name}`);
}

/** Describes fields, and says which of them are returned only on request. */
function described(fields: Readonly<Record<string, TypeFile>>): string[] {
  return Object.entries(fields).map(([name, type]) =>
    typeof type === 'object' && 'on_expand' in type && type.on_expand === true ? `${name} (when expanded)` : name,
  );
}

function parts(all: readonly (readonly [string, readonly string[] | undefined])[]): string {
  return all.flatMap(([what, which]) => (which ? [`${what} ${names(which)}`] : [])).join('; ');
}

function names(all: readonly string[]): string {
  return all.map(code).join(', ');
}
