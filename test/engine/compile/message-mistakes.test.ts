import { loadPack } from '../../../engine/index.js';
import { minimal } from '../../support/sample-pack.js';

/** Mistakes in messages to people and in what mail by SMTP calls: each is reported at its place. */

const NOTE = `resource: note
collection: notes
id: { prefix: not_ }
fields: { to: string, text: string }
operations: { create: { params: { to!, text! } } }
message: { to: =self.to, text: =self.text, when: "self.to != ''", reply: { cause: note.replied, with: { from: =self.to } } }
`;
const CAUSES = `causes:
  note.replied:
    description: Somebody replies.
    params: { from: string, text: string }
    do: [{ create: note, with: { to: =params.from, text: =params.text } }]
  note.torn:
    description: A note is torn.
    subject: { param: id, resource: note }
    do: [{ delete: self }]
`;
const SMTP = `smtp: { operation: notes.create, with: { to: "to[0]", text: subject }, error: message }`;

/** `line:column code message` of each problem. */
function told(note: string, smtp: string): string[] {
  const pack = `${minimal.files['pack.yaml'].trimEnd()}\n${smtp}\n`;
  const { problems } = loadPack(
    minimal.write({ ...minimal.files, 'pack.yaml': pack, 'resources/note.yaml': note, 'causes.yaml': CAUSES }),
  );
  return problems.map(({ code, message, suggestion }) => `${code} ${message} ${suggestion ?? ''}`.trim());
}

test('both are fine as they are', () => {
  expect(told(NOTE, SMTP)).toEqual([]);
});

test.each([
  ['a field that is not there', '=self.text', '=self.txt', /^expression .*txt.* text$/],
  ['a condition that is none', "self.to != ''", 'self.to', /^wrong-type this must be a boolean, it is a string$/],
  ['an unknown key', 'text: =self.text', 'txt: =self.text', /^unknown-key unknown key 'txt'/],
  ['nobody', 'to: =self.to, text', 'text', /^missing-key /],
  ['a reply that is no external event', 'cause: note.replied', 'cause: note.replid', /^unknown-cause .*note.replied$/],
  ['a reply about an object', 'cause: note.replied', 'cause: note.torn', /^bad-form 'note.torn' is about an object/],
  ['a parameter that the reply lacks', 'with: { from:', 'with: { frm:', /^unknown-parameter .*from$/],
  ['another operation', 'notes.create', 'notes.creat', /^unknown-operation .*notes.create$/],
  ['another parameter', 'text: subject', 'txt: subject', /^unknown-parameter .*text$/],
  ['a member that a mail lacks', 'text: subject', 'text: subjct', /^unknown-field unknown field 'subjct' subject$/],
  ['what is no JMESPath', 'to[0]', 'to[', /^invalid-value not a JMESPath expression: /],
])('%s', (_, from, to, problem) => {
  expect(`${NOTE}${SMTP}`).toContain(from);
  const [first, ...others] = told(NOTE.replace(from, to), SMTP.replace(from, to));
  expect([first, others]).toEqual([expect.stringMatching(problem), []]);
});

test('variables of packages of applications have to be there', () => {
  const packages = (variable: string): string =>
    `vars: { region: eu }\npackages: [{ npm: [notes], vars: { ${variable}: us }, environment: { NOTES_REGION: vars.${variable} } }]`;
  expect(told(NOTE, packages('region'))).toEqual([]);
  const problem = "unknown-variable unknown variable 'regoin' region";
  expect(told(NOTE, packages('regoin'))).toEqual([problem, problem]);
});
