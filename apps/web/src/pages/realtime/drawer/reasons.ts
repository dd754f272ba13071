/** What the reasons of a verification say, to people; docs/verification.md has more of each. */
const REASONS: Record<string, string> = {
  no_method: 'Nothing is known by which this agent could prove itself.',
  no_signature: 'There is no signature.',
  no_web_bot_auth_signature: 'The signatures are for other purposes.',
  signature_headers_incomplete: 'Signature and Signature-Input do not belong together.',
  signature_input_unreadable: 'Signature-Input can not be read.',
  signature_value_unreadable: 'The signature can not be read.',
  missing_parameters: 'The signature lacks parameters that Web Bot Auth demands.',
  duplicate_component: 'The signature names a part of the request twice.',
  target_not_covered: 'The signature is not for a host.',
  missing_component: 'A signed header is not in the request.',
  component_unavailable: 'The signature covers something that the site did not pass on.',
  query_unknown: 'The signature covers the query, which the site did not pass on.',
  signature_agent_absent: 'The signature does not say whose keys to look at.',
  signature_agent_member_has_parameters: 'The signature says whose keys to look at in a form that does not count.',
  signature_agent_not_listed: 'The catalogue does not know the key directory that is named, so it is not fetched.',
  signature_agent_not_covered: 'Whose keys to look at is not part of what was signed.',
  signature_agent_member_missing: 'Whose keys to look at is not part of what was signed.',
  signature_agent_unparsable: 'Signature-Agent can not be read.',
  signature_agent_ambiguous: 'Signature-Agent names several directories.',
  signature_agent_not_https: 'The key directory that is named is not at https.',
  signature_agent_not_a_url: 'Signature-Agent is no address.',
  expired: 'The signature had expired by the time of the visit.',
  created_in_future: 'The signature says that it was made after the visit.',
  bad_signature: 'The signature does not fit the request: forged, or changed on its way.',
  algorithm_mismatch: 'The signature names another algorithm than that of its key.',
  algorithm_not_allowed: 'The algorithm of the signature is not accepted.',
  test_key: "The request is signed with a key from a standard's examples, which everyone has.",
  key_expired: 'The key had expired.',
  key_not_yet_valid: 'The key was not valid yet.',
  key_not_in_directory: 'The operator does not publish this key now.',
  directory_unreachable: 'The key directory could not be reached.',
  directory_bad_status: 'The key directory answered with an error.',
  directory_redirected: 'The key directory led elsewhere, which is not followed.',
  directory_malformed: 'The key directory can not be read.',
  directory_address_refused: 'The key directory is at a private address, which is never asked.',
  directory_pending: 'The key directory had not answered yet; later visits will have it.',
  authority_not_expected: "The signature is for a host that is not the project's.",
  no_client_address: "The client's address is not known.",
  address_not_listed: "The address is in none of the operator's ranges.",
  list_too_old: "The address is in none of the operator's ranges, but the list is too old to say no: more than 7 days.",
  visit_too_old:
    "The address is in none of the operator's ranges, but the visit is too long ago to say no: more than 7 days.",
  no_host_name: 'The address has no host name.',
  host_name_not_listed: "None of the address's host names is the operator's.",
  host_name_not_confirmed: 'The host name of the address does not lead back to it: a sign of forgery.',
  dns_timeout: 'The DNS did not answer in time.',
  dns_error: 'The DNS did not answer usefully.',
  dns_pending: 'The DNS had not answered yet.',
  dns_busy: 'Too much was being asked of the DNS.',
  dns_off: 'The DNS is switched off.',
};

/** Of where the client's address came from. */
const ADDRESS_REASONS: Record<string, string> = {
  forwarded_list: 'The right-most entry that is no trusted proxy.',
  single_header: 'There is no list of forwarders, and every header with an address says the same.',
  configured_header: "The header that the project's settings name.",
  configured_hops: "The entry that the project's number of proxies leads to.",
  no_header_believed: 'The project is set to be reached directly: no header is believed.',
  no_address_header: 'No header has an address.',
  malformed: 'The deciding entry is no address.',
  only_trusted_proxies: 'All entries are of trusted proxies or private.',
  headers_disagree: 'The headers contradict each other.',
  too_few_entries: 'The header has fewer entries than the project has proxies.',
};

const OK: Record<string, string> = {
  http_message_signature: 'The signature holds.',
  ip_range: "The address is in one of the operator's ranges.",
  reverse_dns: "The address has a host name of the operator's, which leads back to it.",
};

/** @param reason of a later release: as it is. */
export function reasonText(reason: string, method?: string): string {
  if (reason === 'ok') return OK[method ?? ''] ?? 'It holds.';
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

export const addressReasonText = (reason: string): string => ADDRESS_REASONS[reason] ?? reason.replaceAll('_', ' ');
