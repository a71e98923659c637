import { join } from 'node:path';
import { startProcess } from '../../support/processes.js';
import { ROOT } from '../../support/root.js';

test('the generated types are what schemas and packs say (npm run types:pack writes them anew)', async () => {
  const script = join(ROOT, 'dist', 'tools', 'develop', 'generate', 'types.js');
  const { code, stdout, stderr } = await startProcess(process.execPath, [script, '--check']).ended;
  expect(stdout).toBe('');
  expect(stderr).toBe('');
  expect(code).toBe(0);
});
