import { AGENT_TYPES, type AgentType } from '#libs/contracts';
import { isObject, literalPattern, webAddress, type FeedEntry, type FormatReader } from './format.js';

/** Maximum length of an operator's name. Longer texts are descriptions. */
const MAX_OPERATOR = 80;

/** Agent types by words in `function`, for values that aren't the name of a type. */
const TYPES: readonly [RegExp, AgentType][] = [
  [/search/i, 'AI Search Crawler'],
  [/train|dataset|llm/i, 'AI Data Scraper'],
  [/assistant/i, 'AI Assistant'],
];

/** `robots.json` of ai.robots.txt: `{ token: { operator, respect, function, frequency, description } }`. */
export const aiRobotsTxt: FormatReader = {
  format: 'ai.robots.txt',
  recognizes: (document) => {
    const first = isObject(document) ? Object.values(document).find(isObject) : undefined;
    return first !== undefined && 'operator' in first && ('respect' in first || 'function' in first);
  },
  entries: (document) =>
    Object.entries(document as object)
      .values()
      .map(([token, facts]) => entryOf(token, facts)),
};

function entryOf(token: string, facts: unknown): FeedEntry {
  if (!isObject(facts)) return { name: token, refusal: 'It has no facts.' };
  const { name, url } = operatorOf(facts['operator']);
  return {
    name: token,
    record: {
      token,
      type: typeOf(facts['function']),
      operator: name,
      url,
      user_agent_patterns: [literalPattern(token)],
      sample_user_agents: [token],
      robots_token: token,
      verification: {},
    },
  };
}

/** Parses `[Name](https://…)`, a name or a URL. Ignores sentences that call the operator unknown. */
function operatorOf(value: unknown): { name: string | null; url: string | null } {
  const text = typeof value === 'string' ? value.trim() : '';
  const end = text.startsWith('[') ? text.indexOf('](') : -1;
  if (end > 0 && text.endsWith(')'))
    return { name: short(text.slice(1, end)), url: webAddress(text.slice(end + 2, -1)) };
  const url = webAddress(text);
  if (url !== null) return { name: null, url };
  return { name: /^unclear|^unknown|^no information/i.test(text) ? null : short(text), url: null };
}

const short = (text: string): string | null => (text === '' || text.length > MAX_OPERATOR ? null : text);

/** Accepts names of types in the plural, too: Known Agents uses those. */
function typeOf(value: unknown): AgentType {
  const text = typeof value === 'string' ? value : '';
  const exact = AGENT_TYPES.find((type) => text === type || text === `${type}s`);
  return exact ?? TYPES.find(([words]) => words.test(text))?.[1] ?? 'Undocumented AI Agent';
}
