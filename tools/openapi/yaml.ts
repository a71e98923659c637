import { Document, isMap, isSeq, visit } from 'yaml';

/** Longest map or list that is written on one line. */
const ONE_LINE = 110;

/** Data as YAML that reads like a pack's: small maps on one line. */
export function packYaml(data: unknown): string {
  const document = new Document(withoutUndefined(data), { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_key, node, path) {
      const depth = path.filter((each) => isMap(each) || isSeq(each)).length;
      if (depth < 2 || !(isMap(node) || isSeq(node))) return;
      if (JSON.stringify(node.toJSON()).length <= ONE_LINE) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
