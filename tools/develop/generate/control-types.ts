import openapiTS, { astToString } from 'openapi-typescript';
import { contractText } from '../../../engine/control/index.js';

/** Parts of the generated types that are kept: `paths` only repeats the operations. */
const KEPT = /^export (?:interface|type) (?:components|operations) /;

const HEADER = `// Written by \`npm run types:pack\` from the table of the control API (engine/control/routes); a test compares. Change the table, not this file.

/* What goes into each call of the control API and what comes out when it goes well; all else is a ControlError. */
`;

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Json;
}

/** Generates the TypeScript types of the control API, unformatted. */
export async function controlTypes(): Promise<string> {
  const document = JSON.parse(contractText()) as Document;
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, withoutErrors(each)])),
    ]),
  );
  const { schemas, parameters } = document.components;
  const thin = { ...document, paths, components: { schemas, ...(parameters ? { parameters } : {}) } };
  const nodes = await openapiTS(JSON.stringify(thin), { immutable: true, defaultNonNullable: false });
  return [HEADER, ...nodes.map((node) => astToString(node)).filter((text) => KEPT.test(withoutComment(text)))].join(
    '\n',
  );
}

/** Copies an operation with its successful responses only, without headers. */
function withoutErrors(operation: object): Json {
  const { responses = {}, ...rest } = operation as { readonly responses?: Readonly<Record<string, Json>> };
  const good = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { headers: _, ...response }]) => [status, response]);
  return { ...rest, responses: Object.fromEntries(good) };
}

function withoutComment(text: string): string {
  return text.replace(/^\s*\/\*[^]*?\*\/\s*/, '');
}
