/** Results in display order. */
export const RESULTS = {
  verified: { label: 'Verified', meaning: 'A known agent whose identity is confirmed.' },
  verification_failed: {
    label: 'Failed verification',
    meaning: 'Claims to be a known agent, but its address or signature failed verification.',
  },
  not_verifiable: {
    label: 'Not verifiable',
    meaning: 'Claims to be a known agent. We couldn’t confirm it or rule it out.',
  },
  unknown_agent: { label: 'Unknown visitors', meaning: 'A person, or an agent that is not in the catalog.' },
};
export type IdentificationResult = keyof typeof RESULTS;
/** Returns the display texts for a result. Falls back to the ID for results from newer releases. */
export const describeResult = (result: string): { label: string; meaning: string } =>
  Object.hasOwn(RESULTS, result) ? RESULTS[result as IdentificationResult] : { label: result, meaning: '' };
/** Returns text to follow a number of visits, such as "verified" or "by unknown visitors". */
export const describeVisits = (result: string): string =>
  `${result === 'unknown_agent' ? 'by ' : ''}${describeResult(result).label.toLowerCase()}`;

/** Returns the verdict on a single visit, such as "Unknown visitor". */
export const getVerdictLabel = (result: string): string =>
  result === 'unknown_agent' ? 'Unknown visitor' : describeResult(result).label;

export const IDENTIFICATION_RESULTS = Object.keys(RESULTS) as IdentificationResult[];

/** Names of verification methods for use in sentences. */
export const METHODS = {
  http_message_signature: 'signature',
  ip_range: 'published addresses',
  reverse_dns: 'reverse DNS',
};
export type VerificationMethod = keyof typeof METHODS;

export const NO_METHOD = 'The catalog contains no way to verify this agent.';

export function getAgentMethods(verification: {
  signature_agents?: readonly unknown[] | null;
  ip_ranges?: readonly unknown[] | null;
  ip_list_urls?: readonly unknown[] | null;
  reverse_dns_suffixes?: readonly unknown[] | null;
}): VerificationMethod[] {
  const isListed: Record<VerificationMethod, boolean> = {
    http_message_signature: Boolean(verification.signature_agents?.length),
    ip_range: Boolean(verification.ip_ranges?.length || verification.ip_list_urls?.length),
    reverse_dns: Boolean(verification.reverse_dns_suffixes?.length),
  };
  return (Object.keys(isListed) as VerificationMethod[]).filter((method) => isListed[method]);
}

/** Agent types by the purpose for which AI and search engines fetch pages. Other agent types have no such purpose. */
export const CRAWL_PURPOSES = {
  training: { label: 'AI training', types: ['AI Data Scraper', 'AI Data Provider'] },
  search: { label: 'Search', types: ['AI Search Crawler', 'Search Engine Crawler'] },
  user: { label: 'AI answers', types: ['AI Agent', 'AI Assistant', 'AI Coding Agent'] },
} as const;
export type CrawlPurpose = keyof typeof CRAWL_PURPOSES;

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Maximum length of a pattern, in characters, because the cost of checking a pattern is superlinear. */
export const MAX_PATTERN_LENGTH = 500;

/** Possible purposes of an agent's requests. An agent can have several. */
export const AGENT_BEHAVIORS = [
  'search',
  'training',
  'user_fetch',
  'actions',
  'link_preview',
  'advertising',
  'monitoring',
] as const;

export type AgentBehavior = (typeof AGENT_BEHAVIORS)[number];

export const AGENT_BEHAVIOR_NAMES: Record<AgentBehavior, string> = {
  search: 'search index',
  training: 'model training',
  user_fetch: 'fetches for a user',
  actions: 'acts for a user',
  link_preview: 'link previews',
  advertising: 'advertising',
  monitoring: 'monitoring',
};

/** Display texts for the verdicts on whether an unknown visitor is automated. */
export const AUTOMATION_VERDICT_TEXTS: Readonly<Record<string, { word: string; meaning: string }>> = {
  likely: {
    word: 'Likely automated',
    meaning: 'No agent in the catalog matches, and it’s probably not a person’s browser.',
  },
  unclear: { word: 'Unclear', meaning: 'There is one sign of automation, but it also occurs in people’s browsers.' },
  unlikely: { word: 'Unlikely to be automated', meaning: 'There are no signs of automation.' },
};

/** Returns the text for an ID, or undefined for IDs from newer releases. */
export const getOwn = <T>(words: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined;
