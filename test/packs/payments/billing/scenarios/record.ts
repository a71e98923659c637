import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument, type Document } from 'yaml';
import { ROOT } from '../../../../tools/command.js';
import { documents, PAGES } from './document.js';
import type { Outcome } from './run.js';
import { type Chapter, chapters, FOLDER } from './scenario.js';

/** Writes what happened into a chapter's file, and the page about all chapters. */
export function record(chapter: Chapter, outcomes: readonly Outcome[]): void {
  const path = `${FOLDER}/${chapter.file}`;
  const file = parseDocument(readFileSync(path, 'utf8'));
  outcomes.forEach(({ steps, invoices }, n) => {
    const at = ['scenarios', n];
    steps.forEach(({ statuses, events }, i) => {
      put(file, [...at, 'steps', i, 'statuses'], Object.keys(statuses).length === 0 ? undefined : statuses, true);
      put(file, [...at, 'steps', i, 'events'], events.length === 0 ? undefined : events, false);
    });
    const lines = invoices.map((invoice) => file.createNode(invoice, { flow: true }));
    put(file, [...at, 'invoices'], lines.length === 0 ? undefined : lines, false);
  });
  writeFileSync(path, file.toString({ lineWidth: 0, flowCollectionPadding: true }));
  for (const [page, text] of documents(chapters())) writeFileSync(`${ROOT}/${PAGES}/${page}`, text);
}

function put(file: Document, path: readonly (string | number)[], value: unknown, flow: boolean): void {
  if (value === undefined) file.deleteIn(path);
  else file.setIn(path, file.createNode(value, { flow }));
}
