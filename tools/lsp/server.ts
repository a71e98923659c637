import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionKind,
  CompletionItemKind,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  type Location,
  MarkupKind,
  type Range,
  TextDocuments,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { formatYaml } from '../format/format.js';
import { fixesOf } from './fixes.js';
import { explained, type Proposal, proposals } from './responses.js';
import { packNames, type NameOccurrence, sameName } from './names.js';
import { fileKindOf, packOf, fileText, type EditedPack, readEditedPack } from './workspace.js';

/** Milliseconds without a keystroke after which a pack is checked. */
const PAUSE_MS = 150;
const ITEM_KINDS: Readonly<Record<Proposal['kind'], CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  name: CompletionItemKind.Reference,
  function: CompletionItemKind.Function,
  field: CompletionItemKind.Field,
};

/** Serves an editor over standard input and output until it disconnects. */
export function lsp(): Promise<number> {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const open = (): Map<string, string> =>
    new Map(documents.all().map((each) => [fileURLToPath(each.uri), each.getText()]));
  const shown = new Map<string, Set<string>>();
  const timers = new Map<string, NodeJS.Timeout>();

  const check = (folder: string): void => {
    timers.delete(folder);
    const texts = open();
    const { problems, source } = readEditedPack(folder, texts);
    const byFile = new Map<string, Diagnostic[]>();
    for (const problem of problems) {
      const text = source.files.find(({ path }) => path === problem.file)?.text ?? '';
      const line = problem.line - 1;
      const word = /^[\w.$-]*/.exec((text.split('\n')[line] ?? '').slice(problem.column - 1))?.[0].length ?? 0;
      const start = { line, character: problem.column - 1 };
      const hint = problem.suggestion === undefined ? '' : ` (did you mean '${problem.suggestion}'?)`;
      const list = byFile.get(problem.file) ?? [];
      list.push({
        range: { start, end: { line, character: start.character + Math.max(1, word) } },
        message: problem.message + hint,
        code: problem.code,
        data: { message: problem.message, suggestion: problem.suggestion },
        source: 'sandbox',
        severity: problem.severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      });
      byFile.set(problem.file, list);
    }
    const before = shown.get(folder) ?? new Set();
    shown.set(folder, new Set(byFile.keys()));
    const opened = [...texts.keys()].filter((file) => packOf(file) === folder).map((file) => pathIn(folder, file));
    for (const file of new Set([...before, ...byFile.keys(), ...opened]))
      void connection.sendDiagnostics({
        uri: pathToFileURL(join(folder, file)).href,
        diagnostics: byFile.get(file) ?? [],
      });
  };
  const later = (uri: string): void => {
    const folder = packOf(fileURLToPath(uri));
    if (folder === undefined) return;
    clearTimeout(timers.get(folder));
    timers.set(
      folder,
      setTimeout(() => check(folder), PAUSE_MS),
    );
  };

  /** Finds the pack of a document, and the offset of a position in it. */
  const placeAt = (uri: string, position: { readonly line: number; readonly character: number }) => {
    const document = documents.get(uri);
    const file = fileURLToPath(uri);
    const folder = packOf(file);
    if (!document || folder === undefined) return undefined;
    const view: EditedPack = readEditedPack(folder, open());
    const kind = fileKindOf(view, file);
    if (kind === undefined) return undefined;
    return {
      view,
      kind,
      folder,
      path: pathIn(folder, file),
      text: document.getText(),
      offset: document.offsetAt(position),
    };
  };
  const rangeOf = (folder: string, { file, from, to }: NameOccurrence): Range => {
    const document = TextDocument.create('', 'yaml', 0, fileText(join(folder, file), open()));
    return { start: document.positionAt(from), end: document.positionAt(to) };
  };
  const locationOf = (folder: string, each: NameOccurrence): Location => ({
    uri: pathToFileURL(join(folder, each.file)).href,
    range: rangeOf(folder, each),
  });

  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['.', ' ', '{', '('] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      documentFormattingProvider: true,
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    },
    serverInfo: { name: 'sandbox' },
  }));
  documents.onDidChangeContent(({ document }) => later(document.uri));
  documents.onDidSave(({ document }) => later(document.uri));
  connection.onCompletion(({ textDocument, position }) => {
    const at = placeAt(textDocument.uri, position);
    if (!at) return [];
    return proposals(at.view.source, at.path, at.kind, at.text, at.offset).map(
      ({ label, kind, detail, documentation, insert }) => ({
        label,
        kind: ITEM_KINDS[kind],
        detail,
        documentation,
        insertText: insert,
      }),
    );
  });
  connection.onCodeAction(({ textDocument, context }): CodeAction[] => {
    const document = documents.get(textDocument.uri);
    if (!document) return [];
    return context.diagnostics.flatMap((diagnostic) => {
      const { message = '', suggestion } = (diagnostic.data ?? {}) as { message?: string; suggestion?: string };
      const problem = {
        code: String(diagnostic.code),
        message,
        suggestion,
        offset: document.offsetAt(diagnostic.range.start),
      };
      return fixesOf(document.getText(), problem).map(({ title, from, to, text }): CodeAction => {
        const range = { start: document.positionAt(from), end: document.positionAt(to) };
        const edit = { changes: { [textDocument.uri]: [{ range, newText: text }] } };
        return { title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], isPreferred: true, edit };
      });
    });
  });
  connection.onHover(({ textDocument, position }) => {
    const at = placeAt(textDocument.uri, position);
    const value = at && explained(at.view.source, at.path, at.kind, at.text, at.offset);
    return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } };
  });
  const same = (uri: string, position: { readonly line: number; readonly character: number }) => {
    const at = placeAt(uri, position);
    return at
      ? {
          folder: at.folder,
          found: sameName(packNames(at.view.source), at.path, at.offset),
          offset: at.offset,
          path: at.path,
        }
      : undefined;
  };
  connection.onDefinition(({ textDocument, position }) => {
    const at = same(textDocument.uri, position);
    return at ? at.found.filter(({ defines }) => defines).map((each) => locationOf(at.folder, each)) : [];
  });
  connection.onReferences(({ textDocument, position }) => {
    const at = same(textDocument.uri, position);
    return at ? at.found.map((each) => locationOf(at.folder, each)) : [];
  });
  connection.onPrepareRename(({ textDocument, position }) => {
    const at = same(textDocument.uri, position);
    const here = at?.found.find((each) => each.file === at.path && each.from <= at.offset && at.offset <= each.to);
    return at && here ? { range: rangeOf(at.folder, here), placeholder: here.name } : null;
  });
  connection.onRenameRequest(({ textDocument, position, newName }) => {
    const at = same(textDocument.uri, position);
    if (!at) return null;
    const changes: Record<string, { range: Range; newText: string }[]> = {};
    for (const each of at.found) {
      const { uri, range } = locationOf(at.folder, each);
      (changes[uri] ??= []).push({ range, newText: newName });
    }
    return { changes };
  });
  connection.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    const made = document && formatYaml(document.getText());
    if (!document || made === undefined || made === document.getText()) return [];
    return [
      {
        range: { start: { line: 0, character: 0 }, end: document.positionAt(document.getText().length) },
        newText: made,
      },
    ];
  });
  documents.listen(connection);
  return new Promise((resolve) => {
    connection.onExit(() => resolve(0));
    connection.listen();
  });
}

function pathIn(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}
