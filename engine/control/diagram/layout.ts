/** A point in pixels, from the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface NodeSize {
  readonly width: number;
  readonly height: number;
}

/** Input: boxes by name, and lines between them with the sizes of their labels. */
interface Layered {
  readonly boxes: ReadonlyMap<string, NodeSize>;
  readonly lines: readonly { readonly from: string; readonly to: string; readonly label: NodeSize }[];
}

/** Result: centres of boxes, points of lines and centres of their labels, in the order of the input. */
interface Laid {
  readonly size: NodeSize;
  readonly boxes: ReadonlyMap<string, Point>;
  readonly lines: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

/** The used part of the layout library, whose own declarations don't resolve in ES modules. */
interface Dagre {
  readonly Graph: new () => Graph;
  readonly layout: (graph: Graph) => void;
}

interface Graph {
  setGraph(label: object): void;
  graph(): Partial<NodeSize>;
  setDefaultEdgeLabel(make: () => object): void;
  setNode(name: string, label: object): void;
  node(name: string): Point;
  setEdge(from: string, to: string, label: object): void;
  edge(from: string, to: string): Partial<Point> & { readonly points?: readonly Point[] };
}

const SPACING = { rankdir: 'TB', nodesep: 30, ranksep: 30, edgesep: 14, marginx: 8, marginy: 8 };

/** Lays boxes out in layers, from top to bottom. The library is loaded with the first drawing. */
export async function laidOut({ boxes, lines }: Layered): Promise<Laid> {
  const library: unknown = await import('@dagrejs/dagre');
  if (!isDagre(library)) throw new Error('the library that lays out diagrams is not what it was');
  const graph = new library.Graph();
  graph.setGraph(SPACING);
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [name, size] of boxes) graph.setNode(name, { ...size });
  for (const { from, to, label } of lines) graph.setEdge(from, to, { ...label, labelpos: 'c' });
  library.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    size: { width, height },
    boxes: new Map([...boxes.keys()].map((name) => [name, graph.node(name)])),
    lines: lines.map(({ from, to }) => {
      const { points = [], x = 0, y = 0 } = graph.edge(from, to);
      return { points, label: { x, y } };
    }),
  };
}

function isDagre(library: unknown): library is Dagre {
  return typeof library === 'object' && library !== null && 'Graph' in library && 'layout' in library;
}
