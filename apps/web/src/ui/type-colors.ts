/**
 * Agent type colors, in API order. A test checks that color-blind users can distinguish them and that they contrast
 * with the chart background.
 */
export const TYPE_COLORS = {
  'AI Agent': { light: '#8b128a', dark: '#b527b5' },
  'AI Assistant': { light: '#cb860f', dark: '#fda813' },
  'AI Coding Agent': { light: '#c23387', dark: '#f860b5' },
  'AI Data Provider': { light: '#a0460b', dark: '#f68f5b' },
  'AI Data Scraper': { light: '#14a46b', dark: '#0bc982' },
  'AI Search Crawler': { light: '#956afc', dark: '#af96fe' },
  Archiver: { light: '#106645', dark: '#0d7952' },
  'Developer Helper': { light: '#4f3d04', dark: '#9f7f15' },
  Fetcher: { light: '#0c86af', dark: '#67d0fe' },
  'Automated Agent': { light: '#005164', dark: '#07a1c4' },
  'Intelligence Gatherer': { light: '#38057f', dark: '#804cf8' },
  Scraper: { light: '#ca5a02', dark: '#c6805c' },
  'SEO Crawler': { light: '#f16482', dark: '#e32963' },
  'Search Engine Crawler': { light: '#3850d0', dark: '#4a65ce' },
  'Security Scanner': { light: '#05747c', dark: '#527e82' },
  'Undocumented AI Agent': { light: '#6014b0', dark: '#a372f9' },
  Uncategorized: { light: '#747858', dark: '#686d00' },
};

/** Colors for all other types combined and for unknown visitors. */
export const REST_COLORS = {
  other: { light: '#343a40', dark: '#bcc0c4' },
  unknown: { light: '#8d959d', dark: '#868e96' },
};

/** Returns the colors as CSS variables, such as `--kind-1` for the first type. */
export const typeVariables = (scheme: 'light' | 'dark'): Record<`--${string}`, string> => ({
  ...Object.fromEntries(Object.values(TYPE_COLORS).map((color, index) => [`--kind-${index + 1}`, color[scheme]])),
  ...Object.fromEntries(Object.entries(REST_COLORS).map(([name, color]) => [`--kind-${name}`, color[scheme]])),
});
