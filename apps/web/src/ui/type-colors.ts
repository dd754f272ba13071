/**
 * Agent type colors, in API order. A test checks that color-blind users can distinguish them and that they contrast
 * with the chart background.
 */
export const TYPE_COLORS = {
  'AI Agent': { light: '#5d00c5', dark: '#ad9fff' },
  'AI Assistant': { light: '#fa630e', dark: '#f2690f' },
  'AI Coding Agent': { light: '#500e67', dark: '#857091' },
  'AI Data Provider': { light: '#744b4f', dark: '#d64511' },
  'AI Data Scraper': { light: '#60a358', dark: '#a0ff7c' },
  'AI Search Crawler': { light: '#7559c2', dark: '#c1bbff' },
  Archiver: { light: '#4c826c', dark: '#81e8b1' },
  'Developer Helper': { light: '#c14b01', dark: '#ff973b' },
  Fetcher: { light: '#406b88', dark: '#8dbfcb' },
  'Automated Agent': { light: '#2a96fd', dark: '#4d6ee9' },
  'Intelligence Gatherer': { light: '#2b0099', dark: '#d3d7ff' },
  Scraper: { light: '#a12e07', dark: '#da9f89' },
  'SEO Crawler': { light: '#790104', dark: '#a3695b' },
  'Search Engine Crawler': { light: '#006bff', dark: '#87a3c8' },
  'Security Scanner': { light: '#394c89', dark: '#6e89ff' },
  'Undocumented AI Agent': { light: '#0000ff', dark: '#758bc9' },
  Uncategorized: { light: '#7e7cba', dark: '#6a71bf' },
};

/** Colors for all other types combined and for unknown visitors. */
export const REST_COLORS = {
  other: { light: '#343a40', dark: '#f1f3f5' },
  unknown: { light: '#8d959d', dark: '#868e96' },
};

/** Returns the colors as CSS variables, such as `--kind-1` for the first type. */
export const typeVariables = (scheme: 'light' | 'dark'): Record<`--${string}`, string> => ({
  ...Object.fromEntries(Object.values(TYPE_COLORS).map((color, index) => [`--kind-${index + 1}`, color[scheme]])),
  ...Object.fromEntries(Object.entries(REST_COLORS).map(([name, color]) => [`--kind-${name}`, color[scheme]])),
});
