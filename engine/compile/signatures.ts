import { ANY, listType, mapType, objectType, STRING } from '../expression/index.js';
import { inside, type PackFile, type SourceLocation } from '../model/index.js';
import type { CallSignature } from '../program/index.js';
import { lazy } from '../values/index.js';
import { type Compiler, functionScope, stepContext } from './context.js';
import { compileFail } from './steps/fail.js';
import { compileLet } from './steps/let.js';

type SignatureFile = NonNullable<NonNullable<PackFile['auth']>['signatures']>[number];

/** Compiles `auth.signatures` of pack.yaml: how the signatures of callers are verified. */
export function linkSignatures(compiler: Compiler): readonly CallSignature[] {
  const { packPlace } = compiler.model;
  const files = (packPlace.file.data as PackFile).auth?.signatures ?? [];
  return files.map((file, at) => {
    const made = lazy(() => compileSignature(file, inside(packPlace, 'auth', 'signatures', at), compiler));
    return {
      keyless: file.keyless === true,
      verify: (host, request, call) => made()(host, request, call),
      check: () => void made(),
    };
  });
}

function compileSignature(file: SignatureFile, place: SourceLocation, compiler: Compiler): CallSignature['verify'] {
  const { diagnostics, env, model } = compiler;
  const call = objectType(
    [
      ...['method', 'path', 'query', 'key', 'text'].map((name) => [name, STRING] as const),
      ['parameters', listType(PARAMETER)],
      ['headers', mapType(STRING)],
      ['body', ANY],
      ['time', env.timestamp],
    ],
    'call',
  );
  const { scope, unit, parameters } = functionScope('signature of calls', place, env, { request: env.request, call });
  // Signatures are verified before the actor is determined, so their expressions can't read it.
  const context = stepContext({ ...compiler, env: { ...env, actor: undefined } }, scope);
  const conditionOf = (source: string, at: SourceLocation): string =>
    `${diagnostics.condition(at, source, scope, context.compiler.env).js} === true`;
  const lines = file.when === undefined ? [] : [`if (!(${conditionOf(file.when, inside(place, 'when'))})) return;`];
  const values = file.let === undefined ? [] : compileLet({ let: file.let }, place, context);
  const rules = file.rules.flatMap((rule, nth) => {
    const at = inside(place, 'rules', nth);
    const condition = conditionOf(rule.allow, inside(at, 'allow'));
    if (!diagnostics.known(inside(at, 'else'), 'error', rule.else, model.errors)) return [];
    return [`if (!(${condition})) {`, ...compileFail({ fail: rule.else, with: rule.with }, at, context), '}'];
  });
  return unit.function<CallSignature['verify']>(parameters, [...lines, ...values, ...rules]);
}

const PARAMETER = objectType(
  [
    ['name', STRING],
    ['value', STRING],
  ],
  'parameter',
);
