import { capitalize, getOwn, NO_METHOD, type VerificationMethod } from './results.js';

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
  connection_peer: 'the address that connected directly, not through a trusted proxy',
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

export function describeClientAddressReason(reason: string): string {
  return getOwn<string>(CLIENT_ADDRESS_REASONS, reason) ?? reason.replaceAll('_', ' ');
}

export function describeClientAddressNote(note: string): string {
  return getOwn<string>(CLIENT_ADDRESS_NOTES, note) ?? `${capitalize(note.replaceAll('_', ' '))}.`;
}
