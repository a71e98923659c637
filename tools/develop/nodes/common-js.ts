/** Converts a program in the documentation from an ES module, with its imports in the first paragraph, to CommonJS. */
export function commonJsOf(program: string): string {
  return inFunction(program.replaceAll(/import (.+) from ('[^']+');/g, 'const $1 = require($2);'));
}

/** Moves the code after the imports into an async function. */
export function inFunction(program: string): string {
  const [imports, ...rest] = program.split('\n\n');
  return `${imports}\n(async () => {\n${rest.join('\n\n')}\n})();\n`;
}
