import type { MachineConfig } from '../../engine/machine/index.js';
import type { EventFile, Model, ResourceDef, Schema } from '../../engine/model/index.js';
import {
  fileOf,
  type Operation,
  parameterDescription,
  type ResourceProgram,
  ruleTexts,
} from '../../engine/program/index.js';
import { diagram } from './diagram.js';
import { code, rulesText, markdownTable, typeText } from './types.js';

/** Formats the chapter of a resource. */
export function resourceChapter(program: ResourceProgram, model: Model): string[] {
  const { def } = program;
  const what = def.singleton ? 'A single object.' : `Ids look like ${code(def.ids.pattern.source)}.`;
  return [
    `## ${def.collection}`,
    '',
    `${what}${def.file.order === undefined ? '' : ` Lists are sorted by ${code(def.file.order)}, newest first.`}`,
    '',
    ...markdownTable(
      ['Field', 'Type', ''],
      [...def.schema.fields].map(([name, schema]) => [code(name), typeText(schema), rulesText(schema)]),
    ),
    ...(def.file.machine ? ['### States', '', ...diagram(def.file.machine), ...statesOf(def.file.machine)] : []),
    ...rejections(def),
    ...[...program.operations.values()].flatMap((operation) => operationSection(operation, model)),
    ...markdownTable(
      ['Event', 'When', ''],
      [...program.events.values()].map(({ name, file }) => [
        code(name),
        moment(file),
        [file.title, file.description].filter(Boolean).join(': '),
      ]),
    ),
    ...markdownTable(
      ['Pin', 'Binds', 'Value', ''],
      program.pins.map((pin) => [
        code(pin.path),
        [...pin.moments].map(code).join(', ') || 'when it is asked for',
        typeText(pin.schema()),
        pin.description,
      ]),
    ),
  ];
}

/** Formats the section of an operation: its calls and parameters. */
export function operationSection(operation: Operation, model: Model): string[] {
  const calls = operation.routes.map(({ method, path }) => code(`${method} ${path}`)).join(', ');
  const dispatch = operation.dispatch.map(({ name, is }) => code(is === null ? name : `${name}: ${is}`));
  const meant = dispatch.length === 0 ? '' : ` with ${dispatch.join(' and ')}`;
  const rows = [...operation.params()].map(([name, schema]: [string, Schema]) => [
    code(name),
    typeText(schema),
    [parameterDescription(operation, name, model), rulesText(schema)].filter(Boolean).join(' '),
  ]);
  return [
    `### ${operation.key}`,
    '',
    `${calls}${meant}${operation.status === 200 ? '' : `, returns ${operation.status}`}`,
    '',
    ...described(operation),
    ...markdownTable(['Parameter', 'Type', ''], rows),
    ...rulesList(operation),
  ];
}

/** Lists the rules between an operation's parameters. */
function rulesList(operation: Operation): string[] {
  const lines = ruleTexts(operation).map(({ path, text }) => `- ${path === '' ? '' : `${code(path)}: `}${text}`);
  return lines.length === 0 ? [] : [...lines, ''];
}

/** Returns the description of an operation; empty if there is none. */
function described(operation: Operation): string[] {
  const { title, description } = fileOf(operation) ?? {};
  const text = [title, description].filter((each) => each !== undefined).join(': ');
  return text === '' ? [] : [text, ''];
}

/** Lists the states of a machine with their descriptions. */
function statesOf({ states }: MachineConfig): string[] {
  const rows = Object.entries(states).flatMap(([name, state]) =>
    state?.description === undefined ? [] : [[code(name), state.description]],
  );
  return rows.length === 0 ? [] : markdownTable(['State', ''], rows);
}

function rejections(def: ResourceDef): string[] {
  const rows = Object.entries(def.file.refusals ?? {}).map(([trigger, { error }]) => [code(trigger), code(error)]);
  return markdownTable(['Rejected trigger', 'Error'], rows);
}

/** Describes in words when an event is emitted. */
export function moment({ on, enter, emit, when }: EventFile): string {
  const moments: string[] = [];
  if (on !== undefined) moments.push(`the object is ${on}`);
  if (enter !== undefined)
    moments.push(`the status becomes ${(typeof enter === 'string' ? [enter] : enter).map(code).join(' or ')}`);
  if (emit) moments.push('a step emits it');
  const text = moments.join(', or ');
  return when === undefined ? text : `${text}, if ${code(when)}`;
}
