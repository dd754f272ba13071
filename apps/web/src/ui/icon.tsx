/** Stroke paths on a 24 × 24 grid. */
const PATHS = {
  verified:
    'M12 3l2.6 2 3.3-.2.9 3.1 2.5 2.1-1.2 3 1.2 3-2.5 2.1-.9 3.1-3.3-.2L12 21l-2.6-2-3.3.2-.9-3.1L2.7 14l1.2-3-1.2-3 2.5-2.1.9-3.1 3.3.2zM8.5 12l2.5 2.5 4.5-5',
  failed: 'M12 3l9.5 17h-19zM12 10v4M12 17v.01',
  open: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.01',
  unknown: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-3.6 3.8-5 7.5-5s6.7 1.4 7.5 5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20 14a8 8 0 1 1-10-10 6.5 6.5 0 0 0 10 10z',
  /** Half-hatched disk, which stands for the system color scheme. */
  auto: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 7.5h7.5M12 12h9M12 16.5h7.5',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5l12 7-12 7z',
  live: 'M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM7 7a7 7 0 0 0 0 10M17 7a7 7 0 0 1 0 10',
  chart: 'M4 4v16h16M7 16l4-5 3 3 5-7',
  agents: 'M6 9h12v10H6zM12 9V5M12 5v-.01M9.5 13v1M14.5 13v1M3 13v3M21 13v3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  start: 'M5 19l3-8a11 11 0 0 1 11-7 11 11 0 0 1-7 11zM5 19l4-1M14.5 9.5v.01',
  projects: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  help: 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.01',
  plus: 'M12 5v14M5 12h14',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-3.6 3.8-5 7.5-5s6.7 1.4 7.5 5',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  tools:
    'M14.7 6.3a4.5 4.5 0 0 1 5.8-1.1l-3 3 .3 1.9 1.9.3 3-3a4.5 4.5 0 0 1-6.5 5.5L8.5 20.6a2.1 2.1 0 0 1-3-3l7.7-7.7a4.5 4.5 0 0 1 1.5-3.6z',
  audit: 'M4 6h11M4 11h6M4 16h5M17 11a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM17 13.5V16l1.8 1',
  docs: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7',
  robots: 'M6 3h9l4 4v14H6zM9 12l2 2 4-4M9 17h7',
  policy: 'M4 6h9M4 12h6M4 18h9M17 4v16M14 7l3-3 3 3M14 17l3 3 3-3',
  drag: 'M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01',
  compliance: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 11.5l2.2 2.2 4-4',
  coverage: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 16.5h7M16.5 13v7',
  catalog: 'M4 5h4v14H4zM9 5h4v14H9zM14.5 6l3.4-.9 3.4 12.6-3.4.9z',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  alert: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V13M12 16.5v.01',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6M4 17h16M10 20h4',
  visits: 'M4 6h16M4 12h16M4 18h10',
  journeys:
    'M5 17a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM19 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM7 19h9a3.5 3.5 0 0 0 0-7H8a3.5 3.5 0 0 1 0-7h9',
  chevron: 'M6 9l6 6 6-6',
  load: 'M4 17a8.5 8.5 0 1 1 16 0M12 15l4-5M8 17h8',
  referrals: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  find: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  note: 'M5 5h14v10l-7 5-7-5z',
  price:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM14.8 9c-.6-.9-1.6-1.3-2.8-1.3-1.6 0-2.8.8-2.8 2.1 0 3 5.6 1.4 5.6 4.3 0 1.4-1.2 2.2-2.8 2.2-1.3 0-2.4-.5-3-1.4M12 6v12',
  saved: 'M7 4h10v16l-5-4-5 4z',
  address: 'M12 21c4.5-4.6 7-8 7-11a7 7 0 1 0-14 0c0 3 2.5 6.4 7 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  unlisted: 'M4 6h10M4 12h7M4 18h10M17 10.5a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.3M19 17v.01',
  more: 'M5 11.5v1M5.5 12h-1M12 11.5v1M12.5 12h-1M19 11.5v1M19.5 12h-1',
  undo: 'M9 5l-5 5 5 5M4 10h10a5 5 0 0 1 0 10h-3',
  block: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.6 5.6l12.8 12.8',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
} as const;

export type IconName = keyof typeof PATHS;

interface IconProps {
  name: IconName;
  /** Width and height in pixels. */
  size?: number;
}

/** Decorative icon, hidden from screen readers. Requires adjacent text or a label with the same meaning. */
export function Icon({ name, size = 18 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
