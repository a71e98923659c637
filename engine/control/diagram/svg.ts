import type { Arrow, MachineGraph, StateBox } from './graph.js';
import { laidOut, type Point, type Size } from './layout.js';

/** Sizes in pixels of a typeface of 12. */
const CHARACTER = 6.9;
const LINE = 15;
const PADDING = 10;
/** Characters of a line of a label. */
const WIDEST = 26;
/** Lines of a label; the rest is counted. */
const LINES = 4;

const ORIGIN: Point = { x: 0, y: 0 };

/**
 * A machine as SVG, laid out in layers. Elements carry `data-state`, or `data-from` and `data-to`, so that pages can mark where an
 * object is; colours are the page's own (`currentColor`).
 * @param title what a screen reader says of it
 */
export async function machineSvg(graph: MachineGraph, title: string): Promise<string> {
  const arrows = graph.arrows.map((arrow) => ({ arrow, lines: labelOf(arrow) }));
  const { size, boxes, lines } = await laidOut({
    boxes: new Map(graph.states.map((state) => [state.name, boxSize(state)])),
    lines: arrows.map(({ arrow: { from, to }, lines: label }) => ({
      from,
      to,
      label: { width: widthOf(label) + 6, height: Math.max(label.length * LINE, 1) },
    })),
  });
  const parts = [
    ...arrows.map(({ arrow, lines: label }, at) => arrowSvg(arrow, lines[at].points, label, lines[at].label)),
    ...graph.states.map((state) => boxSvg(state, boxes.get(state.name) ?? ORIGIN, boxSize(state))),
  ];
  const [w, h] = [Math.ceil(size.width), Math.ceil(size.height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img"`,
    ` font-family="ui-sans-serif, system-ui, sans-serif" font-size="12" fill="currentColor" stroke="none">`,
    `<title>${escaped(title)}</title>${MARKER}${parts.join('')}</svg>`,
  ].join('');
}

const MARKER =
  '<defs><marker id="arrow-end" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">' +
  '<path d="M0 .8 7.4 4 0 7.2z" fill="context-stroke"/></marker></defs>';

function boxSize({ name, inside }: StateBox): Size {
  const lines = insideLines(inside);
  return {
    width: Math.max(name.length * 7.4, widthOf(lines)) + PADDING * 2,
    height: LINE + lines.length * (LINE - 1) + PADDING * 1.2,
  };
}

function boxSvg({ name, isInitial, isFinal, inside }: StateBox, { x, y }: Point, { width, height }: Size): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const frame = (inset: number): string =>
    `<rect x="${round(left + inset)}" y="${round(top + inset)}" width="${round(width - inset * 2)}" height="${round(height - inset * 2)}" rx="${8 - inset}" fill="none" stroke="currentColor"/>`;
  const lines = insideLines(inside);
  const first = top + PADDING * 0.6 + 11.5;
  const label = `<text x="${round(x)}" y="${round(first)}" text-anchor="middle" font-weight="600">${escaped(name)}</text>`;
  const within = lines
    .map(
      (line, at) =>
        `<text x="${round(x)}" y="${round(first + (at + 1) * (LINE - 1))}" text-anchor="middle" font-size="11" class="inside">${escaped(line)}</text>`,
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
  const top = at.y - (lines.length * LINE) / 2 + 11;
  const label = lines
    .map((line, index) => `<tspan x="${round(at.x)}" y="${round(top + index * LINE)}">${escaped(line)}</tspan>`)
    .join('');
  return (
    `<g class="arrow${timed ? ' timed' : ''}" data-from="${escaped(from)}" data-to="${escaped(to)}">` +
    `<path d="${pathOf(points)}" fill="none" stroke="currentColor" marker-end="url(#arrow-end)"${timed ? ' stroke-dasharray="4 3"' : ''}/>` +
    `<text text-anchor="middle" font-size="11">${label}</text></g>`
  );
}

/** A smooth line through the middles between points. */
function pathOf([first, ...rest]: readonly Point[]): string {
  const last = rest.at(-1);
  if (last === undefined) return '';
  let path = `M${round(first.x)} ${round(first.y)}`;
  for (let at = 0; at < rest.length - 1; at++) {
    const [a, b] = [rest[at], rest[at + 1]];
    const end = at === rest.length - 2 ? b : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    path += `Q${round(a.x)} ${round(a.y)} ${round(end.x)} ${round(end.y)}`;
  }
  return rest.length === 1 ? `${path}L${round(last.x)} ${round(last.y)}` : path;
}

/** The names on an arrow, in lines. */
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
    if (last !== undefined && last.length + text.length < WIDEST) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return lines;
}

function widthOf(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => line.length)) * CHARACTER * 0.92;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? each);
}
