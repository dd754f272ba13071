import type { CrawlPurpose } from '#libs/agents/vocabulary';
import type { PermissionOutcome as Outcome } from '#libs/contracts';

/** Directives that have a value after a colon. Any other {@link AGENT_NAME} before a colon is a user agent. */
const VALUED_DIRECTIVES: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
]);
/** Name of a user agent in lower case. Excludes dates, whose times contain colons. */
const AGENT_NAME = /^[a-z][\w -]*$/;
const MAX_LENGTH = 2_048;

/**
 * Effects of directives. Google doesn't use pages with `nosnippet` for AI answers either. `noai` isn't in Google's
 * specification; DeviantArt introduced it.
 */
const EFFECTS: Readonly<Record<string, readonly [CrawlPurpose, Outcome]>> = {
  all: ['search', 'allowed'],
  index: ['search', 'allowed'],
  noindex: ['search', 'disallowed'],
  none: ['search', 'disallowed'],
  nosnippet: ['user', 'disallowed'],
  'max-snippet:0': ['user', 'disallowed'],
  noai: ['training', 'disallowed'],
};

/**
 * Returns the outcomes that an `X-Robots-Tag` header has for an agent, such as `noindex` or `googlebot: noindex, noai`.
 *
 * @param token The agent's robots.txt token, or null if it has none.
 */
export function parseXRobotsTag(text: string, token: string | null): { purpose: CrawlPurpose; outcome: Outcome }[] {
  let isAddressed = true;
  return text
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      let directive = part.trim();
      const [name, rest] = splitAtColon(directive);
      if (rest !== null && AGENT_NAME.test(name) && !VALUED_DIRECTIVES.has(name)) {
        isAddressed = name === token?.toLowerCase();
        directive = rest;
      }
      const [key, value] = splitAtColon(directive);
      const id = value === null ? key : `${key}:${value}`;
      if (!isAddressed || !Object.hasOwn(EFFECTS, id)) return [];
      const [purpose, outcome] = EFFECTS[id]!;
      return [{ purpose, outcome }];
    });
}

function splitAtColon(text: string): [name: string, value: string | null] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, null] : [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
