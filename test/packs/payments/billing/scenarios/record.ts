import { readFileSync, writeFileSync } from 'node:fs';
import { parseDocument, type Document } from 'yaml';
import type { Outcome } from './run.js';
import { type Chapter, FOLDER } from '../../../../../tools/develop/generate/billing-scenarios.js';

/** Writes what happened into a chapter's file. */
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
}

function put(file: Document, path: readonly (string | number)[], value: unknown, flow: boolean): void {
  if (value === undefined) file.deleteIn(path);
  else file.setIn(path, file.createNode(value, { flow }));
}
