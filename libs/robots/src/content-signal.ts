import type { UsagePreference } from './content-usage.js';

/** Maximum use that `use=` permits, from the least to the most. */
const SIGNAL_USES = ['immediate', 'reference', 'full'] as const;
export type SignalUse = (typeof SIGNAL_USES)[number];

export interface ContentSignal {
  preferences: UsagePreference[];
  use: SignalUse | null;
}

const MAX_LENGTH = 2_048;

/**
 * Parses a `Content-Signal` line such as `search=yes, ai-train=no, use=reference` (contentsignals.org). Names and values
 * are case-insensitive, because Cloudflare's managed files use both cases. Unknown values express no preference.
 */
export function parseContentSignal(text: string): ContentSignal {
  const pairs = text.slice(0, MAX_LENGTH).toLowerCase().split(',');
  const values = new Map(
    pairs.map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name.trim(), value.trim()];
    }),
  );
  const use = values.get('use');
  values.delete('use');
  return {
    preferences: [...values].flatMap(([name, value]) =>
      value === 'yes' || value === 'no' ? { name, isAllowed: value === 'yes' } : [],
    ),
    use: SIGNAL_USES.find((known) => known === use) ?? null,
  };
}
