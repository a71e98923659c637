import { boundedLines } from '../../tools/mcp/bounded-lines.js';

test('lines come whole however they are cut, and one that is too long is answered and dropped', () => {
  const told: string[] = [];
  const lines = boundedLines((text) => told.push(text), 10);
  const seen: string[] = [];
  lines.on('data', (line: Buffer) => seen.push(String(line)));
  for (const part of ['ab', 'c\nde', 'f\ng\n', 'x'.repeat(9), 'y'.repeat(9), 'z'.repeat(99), '\nlast', ' one'])
    lines.write(part);
  lines.end();
  return new Promise<void>((resolve) => lines.once('end', resolve)).then(() => {
    expect(seen).toEqual(['abc\n', 'def\n', 'g\n', 'last one']);
    expect(told.map((text) => JSON.parse(text) as object)).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });
});
