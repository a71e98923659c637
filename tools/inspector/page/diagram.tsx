import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { getText } from './api.js';
import { Problem } from './parts.js';
import { useAsked } from './store.js';
import type { Json } from './types.js';

/** The smallest scale of a diagram at which letters are legible. */
const LEGIBLE = 0.85;
const STEP = 1.2;
const [LEAST, MOST] = [0.3, 3];

/**
 * Shows the state machine of a resource as a diagram, with an object's state marked. Scales to its container while letters are legible, else it
 * scrolls; `+`, `-` and `0` zoom in, zoom out and fit it.
 */
export function Diagram({ collection, state }: { collection: string; state: Json }): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const { value: svg, error } = useAsked(() => getText(`/pack/machines/${collection}.svg`), [collection]);
  useEffect(() => {
    if (!holder.current || svg === undefined) return;
    const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    holder.current.replaceChildren(document.importNode(drawing, true));
    setZoom(Math.max(LEGIBLE, fitOf(holder.current)));
  }, [svg]);
  useEffect(() => {
    const drawing = holder.current?.querySelector('svg');
    drawing?.setAttribute('width', String(sizeOf(drawing).width * zoom));
    drawing?.setAttribute('height', String(sizeOf(drawing).height * zoom));
  }, [svg, zoom]);
  useEffect(() => {
    for (const each of holder.current?.querySelectorAll('[data-state], [data-from]') ?? []) {
      const { dataset } = each as SVGElement;
      each.classList.toggle('here', dataset['state'] === state);
      each.classList.toggle('leaves', dataset['from'] === state);
    }
    if (holder.current) center(holder.current);
  }, [svg, state, zoom]);
  if (error) return <Problem error={error} />;
  const zoomTo = (to: number): void => setZoom(Math.min(Math.max(to, LEAST), MOST));
  const fit = (): void => zoomTo(holder.current ? fitOf(holder.current) : 1);
  const press = (event: KeyboardEvent): void => {
    const does = { '+': () => zoomTo(zoom * STEP), '-': () => zoomTo(zoom / STEP), '0': fit }[event.key];
    if (!does || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    does();
  };
  return (
    <div class="diagram-frame">
      <div class="choices" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoomTo(zoom / STEP)}>
          −
        </button>
        <button type="button" title="Fit to width (0)" onClick={fit}>
          Fit
        </button>
        <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoomTo(zoom * STEP)}>
          +
        </button>
      </div>
      <div class="diagram" ref={holder} tabIndex={0} role="group" aria-label="State diagram" onKeyDown={press} />
    </div>
  );
}

/** Returns the size of a diagram's layout. */
function sizeOf(drawing: SVGSVGElement): { readonly width: number; readonly height: number } {
  return drawing.viewBox.baseVal;
}

/** Returns the scale at which a diagram fits its container, at most 1. */
function fitOf(holder: HTMLElement): number {
  const drawing = holder.querySelector('svg');
  return drawing ? Math.min(1, holder.clientWidth / sizeOf(drawing).width) : 1;
}

/** Scrolls to the object's state, or else the initial one. */
function center(holder: HTMLElement): void {
  const shown = (holder.querySelector('.here') ?? holder.querySelector('.initial'))?.getBoundingClientRect();
  if (!shown) return;
  const box = holder.getBoundingClientRect();
  holder.scrollLeft += shown.left + shown.width / 2 - (box.left + box.width / 2);
  holder.scrollTop += shown.top + shown.height / 2 - (box.top + box.height / 2);
}
