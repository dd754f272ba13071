/** Fixed colors of large operators. */
export const OPERATOR_COLORS: Readonly<Record<string, string>> = {
  Ahrefs: '#a8480c',
  Amazon: '#96590a',
  Anthropic: '#b8502f',
  Apple: '#5b6472',
  Baidu: '#3a3fd6',
  ByteDance: '#c22360',
  Cloudflare: '#c24a00',
  'Common Crawl Foundation': '#86459c',
  DuckDuckGo: '#cc3d1d',
  Google: '#1a67d8',
  Meta: '#5348d9',
  Microsoft: '#7a6400',
  'Mistral AI': '#b3400b',
  OpenAI: '#0c7a5e',
  Perplexity: '#8f35b8',
  Semrush: '#a83c7c',
  Yandex: '#c01f2e',
  xAI: '#62605c',
};

/** Colors of all other operators. A test checks that color-blind users can distinguish them. */
export const OPERATOR_PALETTE = [
  '#a13f8e',
  '#c93c08',
  '#0f68fd',
  '#9d0d1f',
  '#700cc3',
  '#06594f',
  '#1e8555',
  '#7559c0',
  '#82208e',
  '#3a1cf0',
] as const;

/** Color of agents without an operator. */
export const NO_OPERATOR_COLOR = '#666d76';

/** Returns the operator's color. It's the same on every page and in both color schemes. */
export function getOperatorColor(operator: string | null | undefined): string {
  if (!operator) return NO_OPERATOR_COLOR;
  return OPERATOR_COLORS[operator] ?? OPERATOR_PALETTE[hash(operator) % OPERATOR_PALETTE.length]!;
}

/** FNV-1a hash, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
