import type { Agent, CompiledCatalog } from '#libs/catalog';
import type { TokenListFormat } from '#libs/contracts';
import { sortUnique } from './selection.js';
import { SERVER_CONFIGS } from './server-config/index.js';

export interface RenderedText {
  mediaType: string;
  text: string;
}

export const TEXT = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Renders agent tokens as a JSON array, a plain list or a server configuration snippet. Lines end in LF. */
export function userAgentTokenList(
  agents: readonly Agent[],
  format: TokenListFormat,
  catalog: CompiledCatalog,
): RenderedText {
  if (format !== 'json' && format !== 'text') return { mediaType: TEXT, text: SERVER_CONFIGS[format](agents, catalog) };
  const tokens = sortUnique(agents.map(({ token }) => token));
  if (format === 'text') return { mediaType: TEXT, text: tokens.map((token) => `${token}\n`).join('') };
  return { mediaType: JSON_TYPE, text: JSON.stringify(tokens) };
}
