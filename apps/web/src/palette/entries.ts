import type { IconName } from '../ui/icon.js';

/** Something that the palette leads to. */
export interface Entry {
  id: string;
  /** What it is, as the title above it says. */
  section: string;
  label: string;
  description?: string;
  /** What else it is found by. */
  keywords?: string;
  icon: IconName;
  /** An address of the dashboard. */
  to: string;
  search?: object;
  hash?: string;
  /** Outside of the dashboard's pages. */
  isElsewhere?: true;
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well an entry fits, the less the better; null where a word is nowhere in it. */
function rank({ section, label, description = '', keywords = '' }: Entry, words: readonly string[]): number | null {
  const name = label.toLowerCase();
  const all = `${name} ${section} ${description} ${keywords}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  const [first = ''] = words;
  if (name.startsWith(first)) return 0;
  if (wordsOf(name).some((word) => word.startsWith(first))) return 1;
  return name.includes(first) ? 2 : 3;
}

/** Returns the entries that have all words of a query, the best of each section first. */
export function findEntries(entries: readonly Entry[], query: string): Entry[] {
  const words = wordsOf(query);
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry, words) }));
  return ranked
    .filter(({ rank }) => rank !== null)
    .toSorted((one, other) => one.rank! - other.rank!)
    .map(({ entry }) => entry);
}

/** Returns entries by their section, sections in the order of their first entry. */
export const bySection = (entries: readonly Entry[]): [section: string, entries: Entry[]][] => [
  ...Map.groupBy(entries, ({ section }) => section),
];

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Returns the id of a visit, as it is pasted; null for other text. */
export function visitId(text: string): string | null {
  const id = text.trim();
  return UUID.test(id) ? id.toLowerCase() : null;
}

const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/;
const IPV6 = /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:\/\d{1,3})?$/i;

/** Returns a client address, or a network, as it is typed; null for other text. The server knows whether there is one. */
export function addressIn(text: string): string | null {
  const address = text.trim();
  return IPV4.test(address) || IPV6.test(address) ? address : null;
}
