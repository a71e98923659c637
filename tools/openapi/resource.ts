import type { Build } from './build.js';
import { objectOr } from './document.js';
import type { ResourceIds } from './ids.js';
import { ShownObjects } from './objects.js';
import { Operations } from './operations.js';
import type { Question, Remarks } from './questions.js';
import { causesOf, shownState } from './state.js';
import type { SurveyedResource } from './survey.js';
import { isTimestamp } from './types.js';

/** A resource file, and notes for people. */
interface ResourceBuilt {
  readonly file: Record<string, unknown>;
  /** Entries of causes.yaml. */
  readonly causes: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly questions: readonly Question[];
  readonly idFormat: ResourceIds['format'];
  /** States of its machine, which events can be named after. */
  readonly states: readonly string[];
  readonly title: string;
  readonly fields: ShownObjects['fields'];
  /** Name of its schema in the document. */
  readonly schema: string | undefined;
  /** By operation: parameters that have the name of a field but aren't stored in it. */
  readonly unkept: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Builds the resource file of a collection. */
export function buildResource(build: Build, found: SurveyedResource): ResourceBuilt {
  const remarks: Remarks = { notes: [], questions: [] };
  const objects = new ShownObjects(build, found, remarks);
  const state = shownState(build, found, objects, remarks);
  const made = new Operations(build, found, objects, state, remarks);
  const operations = made.all();
  const { fields, title, ids, parents, schema } = objects;
  const order = [...fields].find(
    ([name, { type }]) => /^(?:created|created_?at|creation_?date|date_?created)$/i.test(name) && isTimestamp(type),
  )?.[0];
  const isOnlyOne = found.isSingle === true && parents.size === 0;
  const file = {
    resource: found.name,
    collection: found.collection,
    ...(title === found.name ? {} : { title }),
    ...(isOnlyOne ? { singleton: true } : { id: ids.file }),
    ...(order === undefined ? {} : { order }),
    ...(parents.size > 0 && found.isSingle !== true ? { indexes: [...parents.values()] } : {}),
    ...objects.parentKey(),
    fields: {
      ...objects.idFields(),
      ...Object.fromEntries([...fields].map(([name, { type }]) => [name, type])),
      ...objects.hidden(),
    },
    ...(state?.delays === undefined ? {} : { delays: state.delays }),
    ...(state?.machine === undefined ? {} : { machine: state.machine }),
    operations,
  };
  return {
    file,
    causes: causesOf(state, objects, found),
    ...remarks,
    idFormat: ids.format,
    states: Object.keys(objectOr(state?.machine?.['states'])),
    title,
    fields,
    schema,
    unkept: made.unkept,
  };
}
