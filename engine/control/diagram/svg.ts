import type { Arrow, MachineGraph, StateBox } from './graph.js';
import { laidOut, type Point, type NodeSize } from './layout.js';

/** In pixels: font size of state names, of other text, and width and height of a character of that. */
const NAME_FONT = 15;
const FONT = 13.5;
const CHARACTER = 7.8;
const LINE = 17;
const PADDING = 11;
/** Length of the vertical start and end of a line, as a fraction of its height. */
const BEND = 0.4;
/** Characters in a line of a label. */
const LINE_CHARACTERS = 22;
/** Maximum number of lines in a label; the rest is shown as a number. */
const LINES = 4;

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * Draws a machine as SVG, in layers. Elements carry `data-state`, or `data-from` and `data-to`, so that pages can mark an
 * object's state; colours are the page's own (`currentColor`).
 * @param title for screen readers
 */
export async function machineSvg(graph: MachineGraph, title: string): Promise<string> {
  const arrows = graph.arrows.map((arrow) => ({ arrow, lines: labelOf(arrow) }));
  const { size, boxes, lines } = await laidOut({
    boxes: new Map(graph.states.map((state) => [state.name, boxSize(state)])),
    lines: arrows.map(({ arrow: { from, to }, lines: label }) => ({
      from,
      to,
      label: { width: widthOf(label) + 8, height: Math.max(label.length * LINE, 1) },
    })),
  });
  const parts = [
    ...arrows.map(({ arrow, lines: label }, at) => arrowSvg(arrow, lines[at].points, label, lines[at].label)),
    ...graph.states.map((state) => boxSvg(state, boxes.get(state.name) ?? ORIGIN, boxSize(state))),
  ];
  const [w, h] = [Math.ceil(size.width), Math.ceil(size.height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img"`,
    ` font-family="ui-sans-serif, system-ui, sans-serif" font-size="${NAME_FONT}" fill="currentColor" stroke="none">`,
    `<title>${escaped(title)}</title>${MARKER}${parts.join('')}</svg>`,
  ].join('');
}

const MARKER =
  '<defs><marker id="arrow-end" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">' +
  '<path d="M0 .8 7.4 4 0 7.2z" fill="context-stroke"/></marker></defs>';

function boxSize({ name, inside }: StateBox): NodeSize {
  const lines = insideLines(inside);
  return {
    width: Math.max(name.length * 9.2, widthOf(lines)) + PADDING * 2,
    height: LINE + lines.length * LINE + PADDING * 1.2,
  };
}

function boxSvg({ name, isInitial, isFinal, inside }: StateBox, { x, y }: Point, { width, height }: NodeSize): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const frame = (inset: number): string =>
    `<rect x="${round(left + inset)}" y="${round(top + inset)}" width="${round(width - inset * 2)}" height="${round(height - inset * 2)}" rx="${8 - inset}" fill="none" stroke="currentColor"/>`;
  const lines = insideLines(inside);
  const first = top + PADDING * 0.6 + 13.5;
  const label = `<text x="${round(x)}" y="${round(first)}" text-anchor="middle" font-weight="600">${escaped(name)}</text>`;
  const within = lines
    .map(
      (line, at) =>
        `<text x="${round(x)}" y="${round(first + (at + 1) * LINE)}" text-anchor="middle" font-size="${FONT}" class="inside">${escaped(line)}</text>`,
    )
    .join('');
  const dot = isInitial
    ? `<circle cx="${round(left + 1)}" cy="${round(top + 1)}" r="4" class="initial"><title>begins here</title></circle>`
    : '';
  return `<g class="state${isFinal ? ' final' : ''}" data-state="${escaped(name)}">${frame(0)}${isFinal ? frame(3) : ''}${label}${within}${dot}</g>`;
}

function arrowSvg(
  { from, to, timers, triggers }: Arrow,
  points: readonly Point[],
  lines: readonly string[],
  at: Point,
): string {
  const timed = timers.length > 0 && triggers.length === 0;
  const top = at.y - (lines.length * LINE) / 2 + 13;
  const label = lines
    .map((line, index) => `<tspan x="${round(at.x)}" y="${round(top + index * LINE)}">${escaped(line)}</tspan>`)
    .join('');
  return (
    `<g class="arrow${timed ? ' timed' : ''}" data-from="${escaped(from)}" data-to="${escaped(to)}">` +
    `<path d="${pathOf(points)}" fill="none" stroke="currentColor" marker-end="url(#arrow-end)"${timed ? ' stroke-dasharray="4 3"' : ''}/>` +
    `<text text-anchor="middle" font-size="${FONT}">${label}</text></g>`
  );
}

/**
 * A smooth line through all points, vertical at each inner point. The ends may be at the sides of boxes. Labels are at inner
 * points, so they are on the line.
 */
function pathOf([first, ...rest]: readonly Point[]): string {
  let path = `M${round(first.x)} ${round(first.y)}`;
  let from = first;
  for (const [at, to] of rest.entries()) {
    const out = at === 0 ? (to.x - from.x) * BEND : 0;
    const into = at === rest.length - 1 ? (to.x - from.x) * BEND : 0;
    const bend = (to.y - from.y) * BEND;
    path += `C${round(from.x + out)} ${round(from.y + bend)} ${round(to.x - into)} ${round(to.y - bend)} ${round(to.x)} ${round(to.y)}`;
    from = to;
  }
  return path;
}

/** The names on an arrow, split into lines. */
function labelOf({ triggers, timers, always }: Arrow): readonly string[] {
  const names = [...triggers, ...timers.map((timer) => `after ${timer}`), ...(always ? ['at once'] : [])];
  return shortened(wrapped(names));
}

function insideLines(inside: readonly string[]): readonly string[] {
  return inside.length === 0 ? [] : shortened(wrapped(inside.map((name, at) => (at === 0 ? `↻ ${name}` : name))));
}

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length > LINES ? [...lines.slice(0, LINES - 1), 'and more'] : lines;
}

function wrapped(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [at, name] of names.entries()) {
    const text = at < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length < LINE_CHARACTERS) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => line.length)) * CHARACTER;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? each);
}
