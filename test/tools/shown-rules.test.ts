import { loadPack } from '../../engine/index.js';
import { generateTools } from '../../engine/mcp/tool.js';
import { ruleTexts } from '../../engine/program/index.js';
import { exportDocument } from '../../tools/openapi/export.js';
import { operationSection } from '../../tools/reference/resource.js';
import { startSandbox } from '../support/start-sandbox.js';

/** Every rule between parameters is told wherever operations are described. */

const PACKS = ['test/packs/ferry', 'packs/payments'];

function operationsOf(folder: string) {
  const { pack } = loadPack(folder);
  if (!pack) throw new Error(`${folder} has problems`);
  const ruled = pack.operations.filter((operation) => ruleTexts(operation).length > 0);
  return { pack, ruled };
}

describe.each(PACKS)('%s', (folder) => {
  const { pack, ruled } = operationsOf(folder);

  test('in references and in the exported document', () => {
    const described = JSON.stringify(exportDocument(pack));
    expect(ruled.length).toBeGreaterThan(0);
    for (const operation of ruled)
      for (const { text } of ruleTexts(operation)) {
        expect(operationSection(operation, pack.model).join('\n')).toContain(text);
        expect(described).toContain(JSON.stringify(text).slice(1, -1));
      }
  });

  test('in the tools of agents, up to thirty of an operation', () => {
    const tools = generateTools(pack);
    for (const operation of ruled) {
      const rules = ruleTexts(operation);
      const described = tools
        .filter((tool) => tool.operation === operation)
        .map(({ definition }) => String(definition({ depth: 2, brief: false, output: false }).description));
      expect(described.length).toBeGreaterThan(0);
      for (const text of described) {
        for (const rule of rules.slice(0, 30)) expect(text).toContain(rule.text);
        expect(text.includes('more rules')).toBe(rules.length > 30);
      }
    }
  });
});

describe('in GET /__admin__/pack', () => {
  const sandbox = startSandbox('test/packs/ferry');

  test('with what the vendor’s variables leave', async () => {
    const body = JSON.stringify(await sandbox.admin('GET /pack'));
    for (const operation of operationsOf('test/packs/ferry').ruled)
      for (const { text } of ruleTexts(operation)) expect(body).toContain(JSON.stringify(text).slice(1, -1));
  });
});
