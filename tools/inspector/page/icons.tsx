import type { JSX } from 'preact';

/** Line drawings by name, 16 units wide. */
const PATHS = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5M6.7 13V9.500h2.600V13',
  timeline: 'M3 3.500h2M3 8h2M3 12.500h2M7.5 3.500H13M7.5 8H13M7.5 12.500H11',
  objects: 'M8 2 2.5 4.800v6.400L8 14l5.5-2.800V4.800zM2.5 4.8 8 7.600l5.5-2.800M8 7.600V14',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.800V8l2.2 1.6',
  controls: 'M3 5h5M11 5h2M3 11h2M8 11h5M9.5 3.500v3M6.5 9.500v3',
  mailbox: 'M2.5 4h11v8h-11zM2.5 4.5 8 8.800l5.5-4.3',
  webhooks: 'M13.5 2.5 2.5 7l4.2 2.300zM13.5 2.5 9 13.5 6.7 9.300M13.5 2.5 6.7 9.3',
  worlds:
    'M4.5 4.800v6.400M4.5 9c0-2.5 7-1.2 7-4.200M4.5 4.800a1.4 1.4 0 1 0 0-2.8 1.4 1.4 0 0 0 0 2.800M11.5 4.800a1.4 1.4 0 1 0 0-2.8 1.4 1.4 0 0 0 0 2.800M4.5 14a1.4 1.4 0 1 0 0-2.8 1.4 1.4 0 0 0 0 2.8',
  pack: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  run: 'M3 4.5 4 5.5 6 3M8 4.5h5M3 11.5l1 1 2-2.500M8 11.5h5',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  play: 'M5 3.500v9L12.5 8z',
  live: 'M8 9.500a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M4.8 4.800a4.5 4.5 0 0 0 0 6.400M11.2 4.800a4.5 4.5 0 0 1 0 6.4',
} as const;

export type IconName = keyof typeof PATHS;

/** Shows a drawing in the color of the surrounding text, always beside a word. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
