/** A program of the documents, an ES module with its imports in the first paragraph, for CommonJS. */
export function commonJsOf(program: string): string {
  return inFunction(program.replaceAll(/import (.+) from ('[^']+');/g, 'const $1 = require($2);'));
}

/** The same with what is below its imports in a function, which may wait. */
export function inFunction(program: string): string {
  const [imports, ...rest] = program.split('\n\n');
  return `${imports}\n(async () => {\n${rest.join('\n\n')}\n})();\n`;
}
