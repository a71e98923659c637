import { writeFileSync } from 'node:fs';
import { exportDocument } from '../openapi/export.js';
import { Exit, type Output } from '../command/output.js';
import { soundPack } from '../command/sound-pack.js';

/** Prints a pack as an OpenAPI 3.1 document, or writes it to a file; returns the exit code. */
export async function exportOpenApi(
  given: string,
  { out }: { readonly out?: string },
  output: Output,
): Promise<number> {
  const text = JSON.stringify(exportDocument(await soundPack(given, output)), null, 2);
  if (out === undefined) output.print(text);
  else writeFileSync(out, `${text}\n`);
  return Exit.done;
}
