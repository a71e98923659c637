import type { TextPattern } from '../../values/index.js';
import { inside, type SourceLocation } from '../../model/index.js';
import type { CompiledPack } from '../pack.js';

/**
 * Warns of test values that can never match: they don't fit the pattern of their family, or an earlier family matches first.
 */
export function checkMagic(pack: CompiledPack): void {
  const { model, magic } = pack;
  const file = model.source.one('magic');
  if (!file) return;
  const families = magic.families;
  for (const [index, family] of families.entries()) {
    const place: SourceLocation = { file, path: ['families', family.name] };
    for (const value of family.values().keys()) {
      if (!family.looksLike.test(value)) {
        model.diagnostics.problem(
          entryOf(value, family.name, place),
          'magic-value-unlike',
          `'${value}' does not look like ${family.looksLike.source}, so it is never recognised`,
        );
        break;
      }
      const earlier = families
        .slice(0, index)
        .find((each) => each.resource === family.resource && each.looksLike.test(value));
      if (earlier) {
        model.diagnostics.problem(
          inside(place, 'looks_like'),
          'magic-values-overlap',
          `'${value}' is taken by family '${earlier.name}', which comes first`,
        );
        break;
      }
    }
    const shadowed = model.resources.find(
      (def) => def === family.resource && matchesIds(family.looksLike, def.ids.prefix),
    );
    if (shadowed) {
      model.diagnostics.problem(
        inside(place, 'looks_like'),
        'magic-values-overlap',
        `every id of ${shadowed.name} looks like a value of this family`,
      );
    }
  }
}

/** Whether a pattern of test values also matches ordinary ids. */
function matchesIds(pattern: TextPattern, prefix: string): boolean {
  return ['0aZ9bY8cX7dW6e', '1Qw2Er3Ty4Ui5Op6As7Df8'].every((rest) => pattern.test(prefix + rest));
}

/** The location of the entry from which a test value was expanded, found by the entry's fixed parts. */
function entryOf(value: string, family: string, place: SourceLocation): SourceLocation {
  const data = place.file.data as {
    readonly families?: Readonly<Record<string, { readonly values: readonly { readonly value: string }[] }>>;
  };
  const entries = data.families?.[family]?.values ?? [];
  const index = entries.findIndex(({ value: template }) => {
    const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
    return value.startsWith(parts[0]) && value.endsWith(parts[parts.length - 1]);
  });
  return index < 0 ? place : inside(place, 'values', index, 'value');
}
