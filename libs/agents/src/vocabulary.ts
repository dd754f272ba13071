/**
 * Vocabulary of identification: results, methods, outcomes and reasons, with the texts shown to people. Runs in
 * browsers, so it must not import anything.
 */

/** Results in display order. */
export const RESULTS = {
  verified: { label: 'Verified', meaning: 'A known agent that proved who it is.' },
  verification_failed: {
    label: 'Spoofed',
    meaning: 'Claims to be a known agent, but its address or its signature failed verification.',
  },
  not_verifiable: {
    label: 'Not verifiable',
    meaning: 'Claims to be a known agent; could not be confirmed or refuted.',
  },
  unknown_agent: { label: 'Unknown', meaning: 'A person, or an agent that the catalog does not list.' },
};
export type IdentificationResult = keyof typeof RESULTS;
/** Returns the label and meaning of a result. Falls back to the ID for results of a newer release. */
export const resultWords = (result: string): { label: string; meaning: string } =>
  Object.hasOwn(RESULTS, result) ? RESULTS[result as IdentificationResult] : { label: result, meaning: '' };
export const IDENTIFICATION_RESULTS = Object.keys(RESULTS) as IdentificationResult[];

/** Verification methods, as named within a sentence. */
export const METHODS = {
  http_message_signature: 'signature',
  ip_range: 'published addresses',
  reverse_dns: 'reverse DNS',
};
export type VerificationMethod = keyof typeof METHODS;

/**
 * Display texts of step outcomes. Signatures are `verified`, `invalid` or `unverified`. Addresses are `pass`, `fail` or
 * `unknown`.
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
  ok: ['verified', "The signature is valid and was made with a key from the operator's directory."],
  no_signature: ['unverified', 'The request is not signed.'],
  no_web_bot_auth_signature: ['unverified', 'The request is signed, but not for Web Bot Auth (tag "web-bot-auth").'],
  signature_headers_incomplete: [
    'invalid',
    'The Signature and Signature-Input headers do not both have this signature.',
  ],
  signature_input_unreadable: ['invalid', 'The Signature-Input header is malformed.'],
  signature_value_unreadable: ['invalid', 'The Signature header is malformed.'],
  missing_parameters: ['invalid', 'The signature lacks a required parameter: created, expires, keyid or tag.'],
  target_not_covered: ['invalid', 'The signature does not cover the host (@authority or @target-uri).'],
  signature_agent_absent: ['unverified', 'The request has no Signature-Agent header to say whose key it is.'],
  signature_agent_unparsable: ['invalid', 'The Signature-Agent header is malformed.'],
  signature_agent_not_covered: [
    'invalid',
    'The signature does not cover the Signature-Agent header, so anyone could have added it.',
  ],
  signature_agent_member_missing: ['invalid', 'The Signature-Agent header has no entry for this signature.'],
  signature_agent_ambiguous: [
    'invalid',
    'The Signature-Agent header has several entries and none is for this signature.',
  ],
  signature_agent_member_has_parameters: [
    'unverified',
    'The entry in the Signature-Agent header has parameters, which are not allowed.',
  ],
  signature_agent_not_https: ['invalid', 'The Signature-Agent header has an address that is not https.'],
  signature_agent_not_a_url: ['invalid', 'The Signature-Agent header does not have a URL.'],
  signature_agent_not_listed: ['unverified', 'No agent in the catalog has this key directory, so it was not fetched.'],
  missing_component: ['invalid', 'The signature covers a header that the request does not have.'],
  component_unavailable: ['unverified', 'The signature covers a part of the request that was not reported.'],
  duplicate_component: ['invalid', 'The signature covers the same component twice.'],
  query_unknown: ['unverified', 'The signature covers the query string, which was not reported.'],
  expired: ['invalid', 'The signature had expired.'],
  created_in_future: ['invalid', "The signature's creation time is in the future."],
  bad_signature: [
    'invalid',
    'The signature does not match the request and the key: forged, or the request was changed.',
  ],
  algorithm_mismatch: ['invalid', 'The signature names a different algorithm than its key.'],
  algorithm_not_allowed: ['unverified', 'The signature algorithm is not supported.'],
  test_key: ['invalid', 'The key is an example from the RFCs; its private part is public.'],
  key_expired: ['invalid', 'The key had expired.'],
  key_not_yet_valid: ['invalid', 'The key was not valid yet.'],
  key_not_in_directory: ['unverified', "The operator's key directory does not have this key."],
  /** `unverified` if the host name is internal. */
  authority_not_expected: ['invalid', "The signature is for a host other than the project's; it may be a replay."],
  directory_unreachable: ['unverified', "The operator's key directory could not be reached."],
  directory_bad_status: ['unverified', "The operator's key directory responded with an error."],
  directory_redirected: ['unverified', "The operator's key directory redirects, which is not followed."],
  directory_malformed: ['unverified', "The operator's key directory has no readable keys."],
  directory_address_refused: [
    'unverified',
    "The operator's key directory is at an internal address, which is not allowed.",
  ],
  directory_pending: [
    'unverified',
    "The operator's key directory did not answer in time. The next visits will use it.",
  ],
} as const satisfies Reasons<SignatureOutcome>;
export type SignatureReason = keyof typeof SIGNATURE_REASONS;
export type DirectoryFault = Extract<SignatureReason, `directory_${string}`>;

const VISIT_TOO_OLD = [
  'unknown',
  "The address is not one of the operator's now, but may have been over 7 days ago, when the visit occurred.",
] as const;

export const IP_RANGE_REASONS = {
  ok: ['pass', "The address is in the operator's published ranges."],
  address_not_listed: ['fail', "The address is not in the operator's published ranges."],
  list_too_old: [
    'unknown',
    'The address is not in a known range, but the list is over 7 days old and may be out of date.',
  ],
  visit_too_old: VISIT_TOO_OLD,
} as const satisfies Reasons<AddressOutcome>;

export const REVERSE_DNS_REASONS = {
  ok: ['pass', "The address has one of the operator's host names, which resolves back to it."],
  no_host_name: ['fail', 'The address has no host name.'],
  host_name_not_listed: ['fail', "The host name of the address is not one of the operator's."],
  host_name_not_confirmed: ['fail', 'The host name does not resolve back to the address, so it may be forged.'],
  too_many_host_names: ['unknown', 'The address has more host names than are looked at; none of those is confirmed.'],
  visit_too_old: VISIT_TOO_OLD,
  dns_timeout: ['unknown', 'The DNS query timed out.'],
  dns_error: ['unknown', 'DNS returned an error.'],
  dns_busy: ['unknown', 'Too many DNS queries were in progress.'],
  dns_off: ['unknown', 'DNS is turned off on this instance.'],
  dns_pending: ['unknown', 'DNS did not answer in time.'],
} as const satisfies Reasons<AddressOutcome>;
export type IpRangeReason = keyof typeof IP_RANGE_REASONS;
export type ReverseDnsReason = keyof typeof REVERSE_DNS_REASONS;
/** DNS failures. They never count against an agent. */
export type DnsFault = Extract<ReverseDnsReason, `dns_${string}`>;

export const NO_METHOD = 'The catalog lists no way to verify this agent.';

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

/** Sentence fragments that explain how the client address was chosen, or why there isn't one. */
export const CLIENT_ADDRESS_REASONS = {
  connection_peer: 'the peer of the connection, which is not a trusted proxy',
  forwarded_list: 'the rightmost entry that is not a trusted proxy',
  single_header: 'every header with a single address has the same one',
  configured_header: 'the header that is set in the project settings',
  configured_hops: 'the entry at the number of proxies in the project settings',
  no_header_believed: 'the project has no proxy, so headers are ignored',
  no_address_header: 'no header has an address',
  malformed: 'the entry that decides is not an address',
  only_trusted_proxies: 'the header lists only trusted proxies',
  headers_disagree: 'headers have different addresses, so one of them is forged',
  too_few_entries: 'the header has fewer entries than the project has proxies',
  special_purpose_address: 'the entry that decides is a special-purpose address',
  unnamed_network: 'the entry that decides is a network that is not set in the project settings',
  unlisted_network: 'a network with unknown addresses',
};
export type ClientAddressReason = keyof typeof CLIENT_ADDRESS_REASONS;

/** Notes to the site's owner about how far a client address can be trusted. */
export const CLIENT_ADDRESS_NOTES = {
  unconfirmed_header: 'Address taken from a header; anyone can send it unless a proxy of yours sets it.',
};
export type ClientAddressNote = keyof typeof CLIENT_ADDRESS_NOTES;

/**
 * Returns the method that a reason belongs to. Returns null if nothing was checked, or if the reason comes from a newer
 * release.
 */
export function methodOf(reason: string): VerificationMethod | null {
  const methods = Object.keys(REASONS) as VerificationMethod[];
  return methods.find((method) => Object.hasOwn(REASONS[method], reason)) ?? null;
}

/**
 * Returns the sentence for a reason.
 *
 * @param method Method that the reason belongs to. Required for `ok`, which several methods have.
 */
export function reasonSentence(reason: string, method: string | null = methodOf(reason)): string {
  const reasons = own<Reasons<string>>(REASONS, method ?? '') ?? {};
  const sentence = own(reasons, reason)?.[1] ?? own<string>(UNCHECKED_REASONS, reason);
  return sentence ?? `Reason: ${reason.replaceAll('_', ' ')}.`;
}

export const uncheckedSentence = (reason: string | null): string =>
  reason === null
    ? 'Nothing was checked: the request does not name an agent in the catalog.'
    : `Nothing was checked. ${reasonSentence(reason)}`;

export function clientAddressSentence(reason: string): string {
  return own<string>(CLIENT_ADDRESS_REASONS, reason) ?? reason.replaceAll('_', ' ');
}

export function clientAddressNote(note: string): string {
  return own<string>(CLIENT_ADDRESS_NOTES, note) ?? `${capitalized(note.replaceAll('_', ' '))}.`;
}

/** Returns undefined for a word of a newer release. */
const own = <T>(words: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined;

interface AutomationSignWords {
  label: string;
  sentence: string;
}

export const AUTOMATION_SIGNS = {
  no_user_agent: {
    label: 'No user agent',
    sentence: 'It sent no user agent. Every browser sends one.',
  },
  bot_name: {
    label: 'Calls itself a bot',
    sentence: 'It calls itself a bot, a crawler or the like.',
  },
  http_library: {
    label: 'HTTP library',
    sentence: 'The user agent names an HTTP library, a tool or a programming language.',
  },
  compatible_name: {
    label: 'Introduces itself like a crawler',
    sentence:
      'It introduces itself as crawlers do: as “compatible”, behind “like Gecko”, or with a link after a plus sign or its name.',
  },
  bare_name: {
    label: 'Only a program name',
    sentence: 'The user agent names a program, but no browser, device or operating system that people use.',
  },
  signed: {
    label: 'Signed request',
    sentence: 'It signed the request, or named a key directory, as agents do (Web Bot Auth). Browsers never do.',
  },
  headless: {
    label: 'Headless browser',
    sentence: 'The client hints name a headless browser, which only programs run.',
  },
  client_hints: {
    label: 'Contradictory client hints',
    sentence: 'The client hints name a different browser, version or operating system than the user agent.',
  },
  from_header: {
    label: 'From header',
    sentence: 'It sent a From header with an e-mail address. Only crawlers send one.',
  },
  markdown: {
    label: 'Prefers Markdown',
    sentence: 'The Accept header prefers Markdown to HTML. No browser does.',
  },
  handwritten: {
    label: 'Handwritten user agent',
    sentence:
      'The user agent was written by hand: it starts with a quote or the name of the header, or ends after the operating system.',
  },
  impossible_browser: {
    label: 'Browser that never existed',
    sentence: 'No such browser was released: the version, or its combination with the operating system, never existed.',
  },
  obsolete_browser: {
    label: 'Obsolete browser',
    sentence: 'The browser version is over 15 years old and can’t open today’s https sites without a proxy.',
  },
  not_a_browser: {
    label: 'Not a browser',
    sentence: 'The user agent does not have the form that browsers use.',
  },
  no_system: {
    label: 'No system',
    sentence: 'The user agent names no device or operating system that people browse with.',
  },
  mistake: {
    label: 'Mistake',
    sentence:
      'The user agent has a mistake: Chrome without a version, a version that was cut off, or a quote at the end.',
  },
  contact: {
    label: 'Contact address',
    sentence: 'The user agent has a link, a domain or an e-mail address.',
  },
  isbot: {
    label: 'On the isbot list',
    sentence: 'The public list isbot has a pattern for the user agent, its links aside.',
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
    sentence: 'It sent headers, but no Accept-Language. Browsers send one.',
  },
  robots_txt: {
    label: 'Fetched robots.txt',
    sentence: 'It fetched robots.txt, which people rarely do.',
  },
  data_center: {
    label: 'Data center',
    sentence:
      'The client address is in the published ranges of a cloud or hosting provider. People with a VPN can be there, too.',
  },
} as const satisfies Readonly<Record<string, AutomationSignWords>>;
export type AutomationSign = keyof typeof AUTOMATION_SIGNS;

/** Verdicts on whether an unknown visitor is a program. */
export const AUTOMATION_WORDS: Readonly<Record<string, { word: string; meaning: string }>> = {
  likely: { word: 'Likely a program', meaning: 'No agent in the catalog matches, but a person’s browser is unlikely.' },
  unclear: { word: 'Unclear', meaning: 'One sign speaks for a program, but people’s browsers can have it, too.' },
  unlikely: { word: 'Unlikely a program', meaning: 'Nothing speaks for a program.' },
};

/** Returns the texts for a sign. Derives them from the ID if the sign comes from a newer release. */
export function automationSign(sign: string): { label: string; sentence: string } {
  const label = capitalized(sign.replaceAll('_', ' '));
  return own<AutomationSignWords>(AUTOMATION_SIGNS, sign) ?? { label, sentence: `${label}.` };
}

export function methodsOfAgent(verification: {
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

/**
 * Purposes for which AI and search engines fetch pages, each with its agent types. All other agent types have no such
 * purpose.
 */
export const CRAWL_PURPOSES = {
  training: { label: 'Training', types: ['AI Data Scraper', 'AI Data Provider'] },
  search: { label: 'Search', types: ['AI Search Crawler', 'Search Engine Crawler'] },
  user: { label: 'For users', types: ['AI Agent', 'AI Assistant', 'AI Coding Agent'] },
} as const;
export type CrawlPurpose = keyof typeof CRAWL_PURPOSES;

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Maximum length of an agent's pattern, in characters. The time to check a pattern grows faster than its length. */
export const MAX_PATTERN_LENGTH = 500;

/** Purposes of an agent's requests. An agent can have several. */
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
