import { Document, isMap, isSeq, visit } from 'yaml';

/** Longest map or list that is written on one line. */
const ONE_LINE = 110;

/** Texts that parsers of YAML 1.1 read otherwise, or cannot read inside braces. */
const QUOTED: readonly RegExp[] = [
  /\?/,
  /["']$/,
  /^(?:y|yes|n|no|on|off)$/i,
  /^\d{4}-\d\d?-\d\d?/,
  /^[-+]?[\d_]+(?::[0-5]?\d)+/,
  /^0[0-7]+$/,
];

/** Data as YAML that reads like a pack's: small maps on one line. */
export function packYaml(data: unknown): string {
  const document = new Document(withoutUndefined(data), { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_key, node, path) {
      const depth = path.filter((each) => isMap(each) || isSeq(each)).length;
      if (depth < 2 || !(isMap(node) || isSeq(node))) return;
      if (JSON.stringify(node.toJSON()).length <= ONE_LINE) node.flow = true;
    },
    Scalar(key, node) {
      const { value } = node;
      if (key !== 'key' && typeof value === 'string' && QUOTED.some((each) => each.test(value)))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Numbers that JavaScript cannot keep exactly are cut to the largest that it can: the language rejects them. */
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER
      ? Math.sign(each) * Number.MAX_SAFE_INTEGER
      : each,
  ) as unknown;
}
