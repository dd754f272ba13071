/** Why a signature was judged as it was. */
export const SIGNATURE_REASONS = {
  ok: 'The signature is valid and was made with a key of the directory.',
  no_signature: 'The request is not signed.',
  no_web_bot_auth_signature: 'The request is signed, but not for Web Bot Auth (tag "web-bot-auth").',
  signature_headers_incomplete: 'Signature and Signature-Input do not both name this signature.',
  signature_input_unreadable: 'The Signature-Input header can not be read.',
  signature_value_unreadable: 'The Signature header can not be read.',
  missing_parameters: 'The signature lacks a parameter that it must have: created, expires, keyid or tag.',
  target_not_covered: 'The signature does not cover the host it is for (@authority or @target-uri).',
  signature_agent_absent: 'There is no Signature-Agent header to say whose key it is.',
  signature_agent_unparsable: 'The Signature-Agent header can not be read.',
  signature_agent_not_covered:
    'The signature does not cover the Signature-Agent header, so anyone could have added it.',
  signature_agent_member_missing: 'The Signature-Agent header has no entry for this signature.',
  signature_agent_ambiguous: 'The Signature-Agent header has several entries, and nothing says which one is meant.',
  signature_agent_member_has_parameters:
    'The entry in the Signature-Agent header has parameters, which it must not have.',
  signature_agent_not_https: 'The Signature-Agent header names an address that is not https.',
  signature_agent_not_a_url: 'The Signature-Agent header names no address.',
  signature_agent_not_listed: 'No agent of the catalog has this key directory, so it is not fetched.',
  missing_component: 'The signature covers a header that the request does not have.',
  component_unavailable: 'The signature covers a part of the request that was not passed on.',
  duplicate_component: 'The signature names the same component twice.',
  query_unknown: 'The signature covers the query, which was not passed on.',
  expired: 'The signature had expired.',
  created_in_future: 'The signature says that it was made in the future.',
  bad_signature: 'The signature does not fit the request and the key: forged, or changed on its way.',
  algorithm_mismatch: 'The signature names another algorithm than its key is for.',
  algorithm_not_allowed: 'The algorithm is not one of those allowed.',
  test_key: 'The key is one of those printed in the RFCs, whose private part everybody has.',
  key_expired: 'The key had expired.',
  key_not_yet_valid: 'The key was not valid yet.',
  key_not_in_directory: "The operator's key directory does not hold this key.",
  authority_not_expected: "The signature was made for another host than the project's; the request may be a replay.",
  directory_unreachable: "The operator's key directory could not be reached.",
  directory_bad_status: "The operator's key directory answered with an error.",
  directory_redirected: "The operator's key directory redirects, which is not followed.",
  directory_malformed: "The operator's key directory holds no keys that can be read.",
  directory_address_refused: "The operator's key directory has an internal address, which is not asked.",
  directory_pending: "The operator's key directory had not answered yet; later visits will have it.",
};

/** What the client address says, and why. */
export const ADDRESS_REASONS = {
  ok: 'The address is one of the operator.',
  no_client_address: "The visitor's address is not known, so it can not be looked up.",
  address_not_listed: 'The address is in none of the ranges that the operator publishes.',
  list_too_old:
    'The address is in no range known, but the list is too old (over 7 days) to say that it is not one now.',
  visit_too_old:
    "It is not one of the operator's now, but the visit is too long ago (over 7 days) to say that it was not then.",
  no_host_name: 'The address has no host name.',
  host_name_not_listed: 'The host name of the address is none of the operator.',
  host_name_not_confirmed: 'The host name does not lead back to the address, so it may be made up.',
  dns_timeout: 'The DNS did not answer in time.',
  dns_error: 'The DNS answered with an error.',
  dns_busy: 'Too many questions to the DNS were under way.',
  dns_off: 'The instance is set to ask no DNS.',
  dns_pending: 'The DNS had not answered yet.',
};

/** How the client address was chosen, or why there is none; within a sentence. */
export const CLIENT_ADDRESS_REASONS = {
  connection_peer: 'the peer of the connection, which is not a trusted proxy',
  forwarded_list: 'the right-most entry that is no trusted proxy',
  single_header: 'all headers that name a single address agree',
  configured_header: 'the header that the project believes',
  configured_hops: 'the entry that the project counts to',
  no_header_believed: 'the project is reached without a proxy, so no header is believed',
  no_address_header: 'no header names an address',
  malformed: 'the entry that decides is no address',
  only_trusted_proxies: 'the header names trusted proxies only',
  headers_disagree: 'headers name different addresses, so one of them is forged',
  too_few_entries: 'fewer entries than the project has proxies',
};

/** Why nothing was verified. */
export const NO_METHOD = 'Nothing is known by which this agent could prove itself.';
