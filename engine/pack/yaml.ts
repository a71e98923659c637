import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Alias, Document, Pair, ParsedNode, Scalar, YAMLMap } from 'yaml';

export type { Pair, Scalar, YAMLMap };

let loaded: typeof Yaml | undefined;

/** Returns the `yaml` package, loaded on first use: packs from the cache don't need it. */
export function yaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return loaded;
}

/** Parses YAML 1.2 (core schema). Duplicate keys and `<<` are handled in the conversion, with better messages. */
export function parseYaml(text: string): Document.Parsed {
  return yaml().parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
}

/** Whether a map's key is the merge key: a bare `<<`. */
export function isMergeKey(key: unknown): key is Scalar {
  return yaml().isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** The anchored nodes of a document, which find the node that an alias refers to: the last one of that name before it. */
export class Anchors {
  readonly #nodes = new Map<Alias, ParsedNode | undefined>();

  constructor(document: Document.Parsed) {
    const current = new Map<string, ParsedNode>();
    yaml().visit(document, {
      Node: (_key, node) => {
        if (yaml().isAlias(node)) this.#nodes.set(node, current.get(node.source));
        else if (node.anchor) current.set(node.anchor, node as ParsedNode);
      },
    });
  }

  /** Returns the node that an alias refers to; other nodes are returned unchanged. */
  resolve(node: unknown): unknown {
    return yaml().isAlias(node) ? this.#nodes.get(node) : node;
  }
}
