import { type ContentFile, glob, inside, keyIn, type OperationFile, type SourceLocation } from '../model/index.js';
import type { Content, ContentVariant, Operation, OfResponse } from '../program/index.js';
import { type Json, lazy, type TextPattern } from '../values/index.js';
import type { Compiler } from './context.js';
import { responseScope, type Owner } from './head.js';

/** Compiles `content` of an operation; null if its response is JSON. */
export function compileContent(
  owner: Owner,
  file: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
): Content | null {
  if (file.content === undefined) return null;
  const at = inside(place, 'content');
  const { content } = file;
  const list = isList(content) ? content : [content];
  const variants = list.map((each, index) =>
    compileVariant(owner, each, isList(content) ? inside(at, index) : at, compiler),
  );
  const last = variants.findIndex(({ accept, when }) => accept === null && when === null);
  list.forEach((each, index) => {
    const same = list.findIndex(({ accept, when }) => String(accept) === String(each.accept) && when === each.when);
    if ((last < 0 || index <= last) && same === index) return;
    compiler.diagnostics.problem(
      inside(at, index),
      'unreachable-content',
      `it is never sent: entry ${(last >= 0 && index > last ? last : same) + 1} always fits before`,
    );
  });
  const { contentType } = compiler.model.settings;
  return {
    variants,
    usual: withoutParameters((last < 0 ? null : variants[last].type) ?? contentType),
    negotiated: variants.some(({ accept }) => accept !== null),
  };
}

function compileVariant(owner: Owner, file: ContentFile, place: SourceLocation, compiler: Compiler): ContentVariant {
  const key = file.base64 === undefined ? 'text' : 'base64';
  if (key === 'base64' && file.text !== undefined)
    compiler.diagnostics.problem(keyIn(place, 'base64'), 'two-parts', 'a body is either `text` or `base64`');
  if (file.ranges !== undefined && file.ranges !== false) compiler.used.errors.add('range_not_satisfiable');
  const { accept, when } = file;
  return {
    accept: accept === undefined ? null : anyOf(typeof accept === 'string' ? [accept] : accept),
    type: (file[key] === undefined ? null : file.type) ?? null,
    binary: key === 'base64',
    ranges: file.ranges ?? false,
    status: file.status ?? null,
    when:
      when === undefined
        ? null
        : ofResponse(owner, inside(place, 'when'), compiler, (scope) =>
            compiler.diagnostics.condition(inside(place, 'when'), when, scope, compiler.env),
          ),
    write: ofResponse(owner, inside(place, key), compiler, (scope) =>
      compiler.diagnostics.template(inside(place, key), file[key] ?? '', scope, compiler.env),
    ),
  };
}

function anyOf(patterns: readonly string[]): TextPattern {
  const globs = patterns.map(glob);
  return { source: patterns.join(', '), test: (text) => globs.some((each) => each.test(text)) };
}

/** Compiles `status` of an operation if it is an expression; null if it is constant. */
export function compileStatus(
  owner: Owner,
  { status }: OperationFile,
  place: SourceLocation,
  compiler: Compiler,
): Operation['statusOf'] {
  if (typeof status !== 'string') return null;
  const at = inside(place, 'status');
  return ofResponse(owner, at, compiler, (scope) => {
    const compiled = compiler.diagnostics.template(at, status, scope, compiler.env);
    if (compiled.type.kind !== 'number' && compiled.type.kind !== 'any')
      compiler.diagnostics.problem(at, 'wrong-type', 'the status of a response is a number');
    return compiled;
  });
}

/** Compiles an expression over a response, on first use. */
function ofResponse(
  owner: Owner,
  place: SourceLocation,
  compiler: Compiler,
  compile: (scope: ReturnType<typeof responseScope>['scope']) => { readonly js: string },
): () => OfResponse<Json> {
  return lazy(() => {
    const { scope, parameters, lines } = responseScope(`response of ${owner.key}`, owner, place, compiler);
    const { js } = compile(scope);
    return scope.unit.function<OfResponse<Json>>(parameters, [...lines, `return ${js};`]);
  });
}

function isList(content: NonNullable<OperationFile['content']>): content is readonly ContentFile[] {
  return Array.isArray(content);
}

function withoutParameters(type: string): string {
  return type.split(';')[0].trim();
}
