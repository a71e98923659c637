import type { Problem } from '../../pack/index.js';

const ECHOES = /^(?:unused-|trigger-never-sent$|event-never-emitted$|pin-never-binds$|unreachable-state$)/;

/** Removes "never used" warnings of names that another problem suggests: the pack uses the name, but misspells it. */
export function withoutEchoes(problems: readonly Problem[]): Problem[] {
  const meant = new Set(
    problems.flatMap(({ code, suggestion }) => (suggestion === undefined || ECHOES.test(code) ? [] : [suggestion])),
  );
  return problems.filter(
    ({ code, message }) =>
      !ECHOES.test(code) || ![...message.matchAll(/'([^']+)'/g)].some(([, name]) => meant.has(name)),
  );
}
