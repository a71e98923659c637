import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();

/** Parses a TypeScript file and caches the result, since several checks read it. */
export function parsedFile(file: string, text: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known?.text === text) return known;
  const made = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(file, made);
  return made;
}
