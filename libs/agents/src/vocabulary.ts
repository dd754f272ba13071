/**
 * Identification vocabulary: results, methods, outcomes and reasons, along with their display texts. This module also
 * runs in browsers, so it must not import anything.
 */

/** Results in display order. */
export const RESULTS = {
  verified: { label: 'Verified', meaning: 'A known agent whose identity is confirmed.' },
  verification_failed: {
    label: 'Spoofed',
    meaning: 'Claims to be a known agent, but its address or signature failed verification.',
  },
  not_verifiable: {
    label: 'Not verifiable',
    meaning: 'Claims to be a known agent, which could not be confirmed or refuted.',
  },
  unknown_agent: { label: 'Unknown', meaning: 'A person, or an agent that is not in the catalog.' },
};
export type IdentificationResult = keyof typeof RESULTS;
/** Returns the display texts for a result. Falls back to the ID for results from newer releases. */
export const describeResult = (result: string): { label: string; meaning: string } =>
  Object.hasOwn(RESULTS, result) ? RESULTS[result as IdentificationResult] : { label: result, meaning: '' };
export const IDENTIFICATION_RESULTS = Object.keys(RESULTS) as IdentificationResult[];

/** Names of verification methods for use in sentences. */
export const METHODS = {
  http_message_signature: 'signature',
  ip_range: 'published addresses',
  reverse_dns: 'reverse DNS',
};
export type VerificationMethod = keyof typeof METHODS;

/**
 * Display texts for step outcomes. Signature steps are `verified`, `invalid` or `unverified`. Address steps are `pass`,
 * `fail` or `unknown`.
 */
export const STEP_OUTCOMES = {
  verified: 'passed',
  invalid: 'failed',
  unverified: 'inconclusive',
  pass: 'passed',
  fail: 'failed',
  unknown: 'inconclusive',
} as const;
export type SignatureOutcome = 'verified' | 'invalid' | 'unverified';
export type AddressOutcome = 'pass' | 'fail' | 'unknown';

type Reasons<Outcome> = Record<string, readonly [Outcome, string]>;

export const SIGNATURE_REASONS = {
  ok: ['verified', "The signature is valid, and its key is in the operator's directory."],
  no_signature: ['unverified', 'The request is not signed.'],
  no_web_bot_auth_signature: ['unverified', 'The request is signed, but not for Web Bot Auth (tag "web-bot-auth").'],
  signature_headers_incomplete: ['invalid', 'The signature is missing from the Signature or Signature-Input header.'],
  signature_input_unreadable: ['invalid', 'The Signature-Input header is malformed.'],
  signature_value_unreadable: ['invalid', 'The Signature header is malformed.'],
  missing_parameters: ['invalid', 'The signature is missing a required parameter: created, expires, keyid or tag.'],
  target_not_covered: ['invalid', 'The signature does not cover the host (@authority or @target-uri).'],
  signature_agent_absent: ['unverified', 'The request has no Signature-Agent header to identify the key directory.'],
  signature_agent_unparsable: ['invalid', 'The Signature-Agent header is malformed.'],
  signature_agent_not_covered: [
    'invalid',
    'The signature does not cover the Signature-Agent header, so anyone could have added it.',
  ],
  signature_agent_member_missing: ['invalid', 'The Signature-Agent header has no entry for this signature.'],
  signature_agent_ambiguous: [
    'invalid',
    'The Signature-Agent header has several entries, but none for this signature.',
  ],
  signature_agent_member_has_parameters: [
    'unverified',
    'The entry in the Signature-Agent header has parameters, which are not allowed.',
  ],
  signature_agent_not_https: ['invalid', 'The Signature-Agent header contains a URL that does not use HTTPS.'],
  signature_agent_not_a_url: ['invalid', 'The Signature-Agent header does not contain a valid URL.'],
  signature_agent_not_listed: ['unverified', 'No agent in the catalog uses this key directory, so it was not fetched.'],
  missing_component: ['invalid', 'The signature covers a header that is missing from the request.'],
  component_unavailable: ['unverified', 'The signature covers a part of the request that was not reported.'],
  duplicate_component: ['invalid', 'The signature covers the same component twice.'],
  query_unknown: ['unverified', 'The signature covers the query string, which was not reported.'],
  expired: ['invalid', 'The signature had expired.'],
  created_in_future: ['invalid', "The signature's creation time is in the future."],
  bad_signature: ['invalid', 'The signature does not match the request: it is forged, or the request was modified.'],
  algorithm_mismatch: ['invalid', 'The signature specifies a different algorithm than its key.'],
  algorithm_not_allowed: ['unverified', 'The signature algorithm is not supported.'],
  test_key: ['invalid', 'The key is an example from an RFC, so its private key is public.'],
  key_expired: ['invalid', 'The key had expired.'],
  key_not_yet_valid: ['invalid', 'The key was not valid yet.'],
  key_not_in_directory: ['unverified', "The operator's key directory does not contain this key."],
  /** If the host name is internal, the outcome is `unverified` rather than `invalid`. */
  authority_not_expected: [
    'invalid',
    'The signature is for a host that does not belong to the project, so it may be a replay.',
  ],
  directory_unreachable: ['unverified', "The operator's key directory could not be reached."],
  directory_bad_status: ['unverified', "The operator's key directory responded with an error."],
  directory_redirected: ['unverified', "The operator's key directory returned a redirect, which is not allowed."],
  directory_malformed: ['unverified', "The operator's key directory could not be parsed."],
  directory_address_refused: [
    'unverified',
    "The operator's key directory has an internal address, which is not allowed.",
  ],
  directory_pending: [
    'unverified',
    "The operator's key directory did not respond in time. Later visits will use its keys.",
  ],
} as const satisfies Reasons<SignatureOutcome>;
export type SignatureReason = keyof typeof SIGNATURE_REASONS;
export type DirectoryFault = Extract<SignatureReason, `directory_${string}`>;

const VISIT_TOO_OLD = [
  'unknown',
  'The address does not belong to the operator now, but may have when the visit occurred over 7 days ago.',
] as const;

export const IP_RANGE_REASONS = {
  ok: ['pass', "The address is in the operator's published ranges."],
  address_not_listed: ['fail', "The address is not in the operator's published ranges."],
  list_too_old: [
    'unknown',
    'The address is not in a published range, but the list is over 7 days old and may be outdated.',
  ],
  visit_too_old: VISIT_TOO_OLD,
} as const satisfies Reasons<AddressOutcome>;

export const REVERSE_DNS_REASONS = {
  ok: ['pass', "The address has one of the operator's host names, which resolves back to it."],
  no_host_name: ['fail', 'The address has no host name.'],
  host_name_not_listed: ['fail', 'The host name of the address does not belong to the operator.'],
  host_name_not_confirmed: ['fail', 'The host name does not resolve back to the address, so it may be forged.'],
  too_many_host_names: [
    'unknown',
    'The address has too many host names to check them all, and none could be confirmed.',
  ],
  visit_too_old: VISIT_TOO_OLD,
  dns_timeout: ['unknown', 'The DNS query timed out.'],
  dns_error: ['unknown', 'DNS returned an error.'],
  dns_busy: ['unknown', 'Too many DNS queries were in progress.'],
  dns_off: ['unknown', 'DNS is turned off on this instance.'],
  dns_pending: ['unknown', 'DNS did not respond in time.'],
} as const satisfies Reasons<AddressOutcome>;
export type IpRangeReason = keyof typeof IP_RANGE_REASONS;
export type ReverseDnsReason = keyof typeof REVERSE_DNS_REASONS;
/** DNS failures, which never count against an agent. */
export type DnsFault = Extract<ReverseDnsReason, `dns_${string}`>;

export const NO_METHOD = 'The catalog contains no way to verify this agent.';

const UNCHECKED_REASONS = {
  no_method: NO_METHOD,
  no_client_address: 'The client address is unknown, so it could not be checked.',
  address_not_public: 'The client address is not public.',
};
export type AddressReason = IpRangeReason | ReverseDnsReason | 'no_client_address' | 'address_not_public';
export type IdentificationReason = Exclude<SignatureReason | AddressReason | 'no_method', 'ok'>;

const REASONS: Readonly<Record<VerificationMethod, Reasons<string>>> = {
  http_message_signature: SIGNATURE_REASONS,
  ip_range: IP_RANGE_REASONS,
  reverse_dns: REVERSE_DNS_REASONS,
};

export const IDENTIFICATION_REASONS = [
  ...new Set([UNCHECKED_REASONS, ...Object.values(REASONS)].flatMap((reasons) => Object.keys(reasons))),
].filter((reason) => reason !== 'ok') as IdentificationReason[];

/** Sentence fragments that explain how the client address was chosen, or why it is unknown. */
export const CLIENT_ADDRESS_REASONS = {
  connection_peer: 'the connection peer, which is not a trusted proxy',
  forwarded_list: 'the rightmost entry that is not a trusted proxy',
  single_header: 'all single-address headers contain the same address',
  configured_header: 'the header configured in the project settings',
  configured_hops: 'the entry at the number of hops configured in the project settings',
  no_header_believed: 'the project has no proxy, so headers are ignored',
  no_address_header: 'no header contains an address',
  malformed: 'the relevant entry is not an address',
  only_trusted_proxies: 'the header contains only trusted proxies',
  headers_disagree: 'headers contain different addresses, so one of them is forged',
  too_few_entries: 'the header has fewer entries than the configured number of hops',
  special_purpose_address: 'the relevant entry is a special-purpose address',
  unnamed_network: 'the relevant entry belongs to a network that is not in the project settings',
  unlisted_network: 'the request may come from a network with unpublished addresses',
};
export type ClientAddressReason = keyof typeof CLIENT_ADDRESS_REASONS;

/** Caveats for the site's owner about how reliable a client address is. */
export const CLIENT_ADDRESS_NOTES = {
  unconfirmed_header: 'The address comes from a header that anyone can forge unless your proxy sets it.',
};
export type ClientAddressNote = keyof typeof CLIENT_ADDRESS_NOTES;

/**
 * Returns the method that a reason belongs to, or null if nothing was checked or the reason comes from a newer release.
 */
export function getMethodForReason(reason: string): VerificationMethod | null {
  const methods = Object.keys(REASONS) as VerificationMethod[];
  return methods.find((method) => Object.hasOwn(REASONS[method], reason)) ?? null;
}

/**
 * Returns the sentence for a reason. Derives it from the ID if the reason comes from a newer release.
 *
 * @param method Method that the reason belongs to. Required for `ok`, which is ambiguous.
 */
export function describeReason(reason: string, method: string | null = getMethodForReason(reason)): string {
  const reasons = getOwn<Reasons<string>>(REASONS, method ?? '') ?? {};
  const sentence = getOwn(reasons, reason)?.[1] ?? getOwn<string>(UNCHECKED_REASONS, reason);
  return sentence ?? `Reason: ${reason.replaceAll('_', ' ')}.`;
}

export const describeUnchecked = (reason: string | null): string =>
  reason === null
    ? 'Nothing was checked because the request does not name an agent in the catalog.'
    : `Nothing was checked. ${describeReason(reason)}`;

export function describeClientAddressReason(reason: string): string {
  return getOwn<string>(CLIENT_ADDRESS_REASONS, reason) ?? reason.replaceAll('_', ' ');
}

export function describeClientAddressNote(note: string): string {
  return getOwn<string>(CLIENT_ADDRESS_NOTES, note) ?? `${capitalize(note.replaceAll('_', ' '))}.`;
}

/** Returns undefined for IDs from newer releases. */
const getOwn = <T>(words: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined;

interface AutomationSignText {
  label: string;
  sentence: string;
}

export const AUTOMATION_SIGNS = {
  no_user_agent: {
    label: 'No user agent',
    sentence: 'The request has no user agent. All browsers send one.',
  },
  bot_name: {
    label: 'Calls itself a bot',
    sentence: 'The user agent contains a name such as bot, crawler or spider.',
  },
  http_library: {
    label: 'HTTP library',
    sentence: 'The user agent names an HTTP library, a tool or a programming language.',
  },
  compatible_name: {
    label: 'Introduces itself like a crawler',
    sentence:
      'It introduces itself as crawlers do: after “compatible” or “like Gecko”, or with a link after a plus sign or its name.',
  },
  bare_name: {
    label: 'Only a program name',
    sentence: 'The user agent names a program, but no browser, device or operating system that people use.',
  },
  signed: {
    label: 'Signed request',
    sentence: 'The request is signed or names a key directory (Web Bot Auth). Browsers never do this.',
  },
  headless: {
    label: 'Headless browser',
    sentence: 'The client hints name a headless browser, which only programs use.',
  },
  client_hints: {
    label: 'Contradictory client hints',
    sentence: 'The client hints name a different browser, version or operating system than the user agent.',
  },
  from_header: {
    label: 'From header',
    sentence: 'The request has a From header with an email address. Only crawlers send one.',
  },
  markdown: {
    label: 'Prefers Markdown',
    sentence: 'The Accept header prefers Markdown to HTML, which no browser does.',
  },
  handwritten: {
    label: 'Handwritten user agent',
    sentence:
      'The user agent looks handwritten: it starts with a quote or the header name, or ends after the operating system.',
  },
  impossible_browser: {
    label: 'Browser that never existed',
    sentence: 'This browser never existed: the version was never released, or not for this operating system.',
  },
  obsolete_browser: {
    label: 'Obsolete browser',
    sentence: 'The browser version is over 15 years old and can’t open today’s HTTPS sites without a proxy.',
  },
  not_a_browser: {
    label: 'Not a browser',
    sentence: 'The user agent does not have the format that browsers use.',
  },
  no_system: {
    label: 'No operating system',
    sentence: 'The user agent does not name a device or operating system that people browse with.',
  },
  mistake: {
    label: 'Mistake',
    sentence: 'The user agent has a mistake: Chrome without a version, a truncated version or a trailing quote.',
  },
  contact: {
    label: 'Contact address',
    sentence: 'The user agent contains a link, a domain or an email address.',
  },
  isbot: {
    label: 'On the isbot list',
    sentence: 'The user agent, apart from its links, matches a pattern in the public isbot list.',
  },
  old_browser: {
    label: 'Old browser',
    sentence: 'The browser version is years old, and no client hints confirm it.',
  },
  client_hints_doubt: {
    label: 'Unusual client hints',
    sentence: 'The client hints and the user agent differ in a way that proxies and desktop-site modes can cause.',
  },
  no_accept_language: {
    label: 'No Accept-Language',
    sentence: 'The request has no Accept-Language header. Browsers send one.',
  },
  robots_txt: {
    label: 'Fetched robots.txt',
    sentence: 'The visitor fetched robots.txt, which people rarely do.',
  },
  data_center: {
    label: 'Data center',
    sentence:
      'The client address is in the published ranges of a cloud or hosting provider. VPN users can have such an address, too.',
  },
} as const satisfies Readonly<Record<string, AutomationSignText>>;
export type AutomationSign = keyof typeof AUTOMATION_SIGNS;

/** Display texts for the verdicts on whether an unknown visitor is automated. */
export const AUTOMATION_VERDICT_TEXTS: Readonly<Record<string, { word: string; meaning: string }>> = {
  likely: { word: 'Likely automated', meaning: 'No agent in the catalog matches, and a person’s browser is unlikely.' },
  unclear: { word: 'Unclear', meaning: 'There is one sign of automation, but it also occurs in people’s browsers.' },
  unlikely: { word: 'Unlikely to be automated', meaning: 'There are no signs of automation.' },
};

/** Returns the display texts for a sign. Derives them from the ID if the sign comes from a newer release. */
export function describeAutomationSign(sign: string): { label: string; sentence: string } {
  const label = capitalize(sign.replaceAll('_', ' '));
  return getOwn<AutomationSignText>(AUTOMATION_SIGNS, sign) ?? { label, sentence: `${label}.` };
}

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
  training: { label: 'Training', types: ['AI Data Scraper', 'AI Data Provider'] },
  search: { label: 'Search', types: ['AI Search Crawler', 'Search Engine Crawler'] },
  user: { label: 'For users', types: ['AI Agent', 'AI Assistant', 'AI Coding Agent'] },
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
