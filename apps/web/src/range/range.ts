const HOUR_MS = 3_600_000;
/** What the server counts by. */
const QUARTER_HOUR_MS = 900_000;

export const PRESETS = ['1h', '24h', '7d', '30d'] as const;
export type Preset = (typeof PRESETS)[number];

/** Of each: its length in milliseconds, what it is called alone, and within a sentence. */
export const PRESET_TEXTS: Record<Preset, { length: number; label: string; span: string }> = {
  '1h': { length: HOUR_MS, label: '1 h', span: 'hour' },
  '24h': { length: 24 * HOUR_MS, label: '24 h', span: '24 hours' },
  '7d': { length: 7 * 24 * HOUR_MS, label: '7 d', span: '7 days' },
  '30d': { length: 30 * 24 * HOUR_MS, label: '30 d', span: '30 days' },
};
const DEFAULT: Preset = '24h';

/** The range of a page, as its address says; with none of it, the last 24 hours. */
export interface RangeSearch {
  range?: Preset;
  /** ISO 8601, both or neither; they go before `range`. */
  from?: string;
  to?: string;
  /** Times are shown in the zone of the browser, rather than in the project's. */
  zone?: 'browser';
  /** Charts are shown as tables. */
  table?: true;
}

/** Two instants, ISO 8601 in UTC; the end is exclusive. */
export interface Range {
  from: string;
  to: string;
}

/** Reads an address; what does not fit is left out. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const { range, from, to, zone, table } = search;
  const preset = PRESETS.find((known) => known === range);
  const custom = readInstants(from, to);
  return {
    ...(custom ?? (preset !== undefined && preset !== DEFAULT && { range: preset })),
    ...(zone === 'browser' && { zone }),
    ...((table === true || table === 'true') && { table: true as const }),
  };
}

/** @returns null for anything that is not a range. */
function readInstants(from: unknown, to: unknown): Range | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return start < end ? { from: new Date(start).toISOString(), to: new Date(end).toISOString() } : null;
}

export const presetOf = ({ range, from }: RangeSearch): Preset | null =>
  from === undefined ? (range ?? DEFAULT) : null;

/** From when to when: what ends now ends with the quarter of an hour under way, so that an answer is good for a while. */
export function resolveRange(search: RangeSearch, now: number): Range {
  const { from, to } = search;
  if (from !== undefined && to !== undefined) return { from, to };
  const end = Math.ceil((now + 1) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const { length } = PRESET_TEXTS[presetOf(search) ?? DEFAULT];
  return { from: new Date(end - length).toISOString(), to: new Date(end).toISOString() };
}

/** What it is compared with, as "the 24 hours before". */
export function beforeText(search: RangeSearch): string {
  const preset = presetOf(search);
  return preset === null ? 'the previous period' : `the ${PRESET_TEXTS[preset].span} before`;
}
