import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();

/** A file of TypeScript: several checks look at each, and parsing them takes longer than looking. */
export function parsedFile(file: string, text: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known?.text === text) return known;
  const made = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(file, made);
  return made;
}
