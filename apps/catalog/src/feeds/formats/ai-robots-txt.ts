import { AGENT_TYPES, type AgentType } from '#libs/contracts';
import { isObject, escapePattern, normalizeUrl, type FeedEntry, type FormatReader } from './format-reader.js';

/** Maximum length of an operator's name. Anything longer is a description. */
const MAX_OPERATOR_LENGTH = 80;

/** Agent types by keyword in `function`. Used if the text isn't a type name. */
const TYPES_BY_KEYWORD: readonly [RegExp, AgentType][] = [
  [/search/i, 'AI Search Crawler'],
  [/train|dataset|llm/i, 'AI Data Scraper'],
  [/assistant/i, 'AI Assistant'],
];

/** `robots.json` from ai.robots.txt: `{ token: { operator, respect, function, frequency, description } }`. */
export const aiRobotsTxt: FormatReader = {
  format: 'ai.robots.txt',
  recognizes: (document) => {
    const first = isObject(document) ? Object.values(document).find(isObject) : undefined;
    return first !== undefined && 'operator' in first && ('respect' in first || 'function' in first);
  },
  entries: (document) =>
    Object.entries(document as object)
      .values()
      .map(([token, details]) => toEntry(token, details)),
};

function toEntry(token: string, details: unknown): FeedEntry {
  if (!isObject(details)) return { name: token, refusal: 'The entry is not an object.' };
  const { name, url } = parseOperator(details['operator']);
  return {
    name: token,
    record: {
      token,
      type: toAgentType(details['function']),
      operator: name,
      url,
      user_agent_patterns: [escapePattern(token)],
      sample_user_agents: [token],
      robots_token: token,
      verification: {},
    },
  };
}

/** Accepts `[Name](https://…)`, a name, or a URL. Ignores sentences that call the operator unknown. */
function parseOperator(value: unknown): { name: string | null; url: string | null } {
  const text = typeof value === 'string' ? value.trim() : '';
  const end = text.startsWith('[') ? text.indexOf('](') : -1;
  if (end > 0 && text.endsWith(')'))
    return { name: toOperatorName(text.slice(1, end)), url: normalizeUrl(text.slice(end + 2, -1)) };
  const url = normalizeUrl(text);
  if (url !== null) return { name: null, url };
  return { name: /^unclear|^unknown|^no information/i.test(text) ? null : toOperatorName(text), url: null };
}

const toOperatorName = (text: string): string | null =>
  text === '' || text.length > MAX_OPERATOR_LENGTH ? null : text;

/** Also accepts plural type names, because Known Agents uses them. */
function toAgentType(value: unknown): AgentType {
  const text = typeof value === 'string' ? value : '';
  const exact = AGENT_TYPES.find((type) => text === type || text === `${type}s`);
  return exact ?? TYPES_BY_KEYWORD.find(([words]) => words.test(text))?.[1] ?? 'Undocumented AI Agent';
}
