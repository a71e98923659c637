import { isObject, type Json } from '../values/index.js';
import { fileOf, operationTitle, parameterDescription, type Program, ruleTexts } from '../program/index.js';
import { rank, searchWords } from './words.js';

/** A text of the pack that agents can search. */
interface Document {
  readonly name: string;
  readonly title: string;
  readonly content: string;
}

/** Length limit of a text in a search result, in characters. */
const LONGEST = 2_000;

const read = new WeakMap<Program, readonly Document[]>();

/** Searches the descriptions of a pack's resources, operations and errors. */
export function searchDocuments(program: Program, words: string, limit: number): Json {
  let documents = read.get(program);
  if (documents === undefined) read.set(program, (documents = documentsOf(program)));
  const found = rank(
    documents,
    { intent: '', words },
    ({ title, content }) => ({ strong: searchWords(title), weak: searchWords(content) }),
    0.4,
  );
  return {
    results: found
      .slice(0, limit)
      .map(({ name, title, content }) => ({ name, title, content: content.slice(0, LONGEST) })),
  };
}

function documentsOf({ model, operations, resources }: Program): Document[] {
  const ofOperations = operations.map((operation): Document => {
    const said = [...operation.params().keys()].flatMap((name) => {
      const description = parameterDescription(operation, name, model);
      return description === undefined ? [] : `${name}: ${description}`;
    });
    const rules = ruleTexts(operation).map(({ text }) => `${text}.`);
    const calls = operation.routes.map(({ method, path }) => `${method} ${path.replaceAll('+}', '}')}`);
    const content = [fileOf(operation)?.description ?? '', ...calls, ...said, ...rules]
      .filter((each) => each !== '')
      .join('\n');
    return { name: operation.resource.collection, title: operationTitle(operation), content };
  });
  const ofResources = resources.map(({ def: { collection, title, file } }): Document => {
    const fields = Object.entries(file.fields ?? {}).flatMap(([name, field]) => {
      const description = isObject(field) ? field['description'] : undefined;
      return typeof description === 'string' ? `${name}: ${description}` : name;
    });
    return { name: collection, title, content: fields.join('\n') };
  });
  return [...ofResources, ...ofOperations];
}
