import { type Document, objectOr, textOr } from './document.js';
import { type PlacedQuestion, questionText } from './questions.js';
import type { SurveyedResource } from './survey.js';

/** Path of the document in the imported pack. */
export const CONTRACT_FILE = 'openapi.json';
/** Notes of an import for people. */
export const NOTES_FILE = 'import.md';

/** Numbers of operations: all, those that keep state, stubs with a constant response, and omitted ones. */
export interface OperationCounts {
  readonly all: number;
  readonly stateful: number;
  readonly stubs: number;
  readonly left: number;
}

/** Formats import.md. */
export function notesFile(
  document: Document,
  found: readonly SurveyedResource[],
  { all, stateful, stubs, left }: OperationCounts,
  {
    questions,
    asked,
    decisions,
  }: { questions: readonly PlacedQuestion[]; asked: number; decisions: readonly string[] },
): string {
  const info = objectOr(document.root['info']);
  return [
    `# Imported: ${textOr(info['title'])} ${textOr(info['version'])}`,
    '',
    `${all} operations of the document: ${stateful} keep state in ${found.length} resources, ${stubs} return the document's example, ${left} are omitted.`,
    `\`sandbox check-contract\` compares what the pack returns with \`${CONTRACT_FILE}\`.`,
    '',
    '## Resources',
    '',
    ...found.map(
      ({ collection, path, calls }) => `- ${collection} (\`${path}\`): ${calls.map(({ name }) => name).join(', ')}`,
    ),
    '',
    `## Questions (${questions.length} of ${asked})`,
    '',
    'Questions about the most calls and examples of the document come first.',
    '',
    ...questions.map((each, at) => `${at + 1}. ${questionText(each)}`),
    '',
    `## Notes (${decisions.length})`,
    '',
    ...decisions.map((each) => `- ${each}`),
    '',
  ].join('\n');
}
