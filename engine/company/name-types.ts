import { ANY, objectType, STRING, type Type } from '../expression/index.js';
import { typeOfShown } from '../model/index.js';
import type { Program } from '../program/index.js';
import type { ReadCompany } from './file.js';

const FIELDS = ['key', 'name', 'email'].map((name) => [name, STRING] as const);

/** The type of a person. */
export const PERSON: Type = objectType(FIELDS);

/** The type of `people`: each person's own data and their objects, by vendor. */
export function typeOfPeople(people: NonNullable<ReadCompany['data']['people']>): Type {
  return objectType(
    Object.entries(people).map(([key, { is = {} }]) => {
      const objects = Object.keys(is).map((vendor) => [vendor, ANY] as const);
      return [key, objectType([...FIELDS, ...objects])] as const;
    }),
  );
}

/** Returns the type of an event, as its pack's API returns it. */
export function typeOfEvent({ eventMaker, eventKinds, resources }: Program, name: string): Type {
  const declared = resources.flatMap(({ events }) => [...events.values()]).find((event) => event.name === name);
  const maker = declared?.kind == null ? eventMaker : eventKinds.get(declared.kind)?.maker;
  return maker ? typeOfShown(maker.resource.def.schema.fields) : ANY;
}
