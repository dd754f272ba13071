import type { ClientAddressReason } from './client-address.js';
import type { DirectoryFault, DnsFault } from './evidence-sources.js';
import type { SignatureAlgorithm } from './web-bot-auth/key-set.js';

/** What proved, or refuted, the claim. */
export type VerificationMethod = 'http_message_signature' | 'ip_range' | 'reverse_dns';

/** Reasons of a signature. `ok` and those of {@link UNDECIDED_SIGNATURE} aside, each makes it invalid. */
export type SignatureReason =
  | 'ok'
  | 'no_signature'
  | 'no_web_bot_auth_signature'
  | 'signature_headers_incomplete'
  | 'signature_input_unreadable'
  | 'signature_value_unreadable'
  | 'missing_parameters'
  | 'target_not_covered'
  | 'signature_agent_absent'
  | 'signature_agent_unparsable'
  | 'signature_agent_not_covered'
  | 'signature_agent_member_missing'
  | 'signature_agent_ambiguous'
  | 'signature_agent_member_has_parameters'
  | 'signature_agent_not_https'
  | 'signature_agent_not_a_url'
  /** The catalog doesn't list the directory, so it is never fetched. */
  | 'signature_agent_not_listed'
  | 'missing_component'
  | 'component_unavailable'
  | 'duplicate_component'
  | 'query_unknown'
  | 'expired'
  | 'created_in_future'
  | 'bad_signature'
  | 'algorithm_mismatch'
  | 'algorithm_not_allowed'
  | 'test_key'
  | 'key_expired'
  | 'key_not_yet_valid'
  | 'key_not_in_directory'
  | 'authority_not_expected'
  | DirectoryFault;

/** `verified` and `invalid` are judgements; `unverified` is none; `not_applicable`: there is no such signature. */
export type SignatureOutcome = 'verified' | 'invalid' | 'unverified' | 'not_applicable';

/** Reasons of what an address says. */
export type AddressReason =
  | 'ok'
  /** No header could be believed; see `client_address_reason`. */
  | 'no_client_address'
  | 'address_not_listed'
  /** Not in a list, but the list, or the visit, is older than 7 days. */
  | 'list_too_old'
  | 'visit_too_old'
  | 'no_host_name'
  | 'host_name_not_listed'
  | 'host_name_not_confirmed'
  | DnsFault;

/** `unknown`: nothing conclusive could be had. */
export type AddressOutcome = 'pass' | 'fail' | 'unknown';

/** One Web Bot Auth signature of a request, judged. */
export interface SignatureStep {
  method: 'http_message_signature';
  outcome: Exclude<SignatureOutcome, 'not_applicable'>;
  reason: SignatureReason;
  /** Label in Signature-Input; `null` where that can't be read. */
  label: string | null;
  key_id: string | null;
  algorithm: SignatureAlgorithm | null;
  /** As the Signature-Agent header names it, and the directory that it stands for. */
  signature_agent: string | null;
  directory_url: string | null;
  /** Token of the agent that the directory belongs to. */
  agent_token: string | null;
  /** RFC 3339, UTC. */
  created: string | null;
  expires: string | null;
  /** As in Signature-Input, e.g. `"@authority"`. */
  covered_components: string[];
}

export interface IpRangeStep {
  method: 'ip_range';
  outcome: AddressOutcome;
  reason: AddressReason;
  /** The most specific block that holds the address. */
  range: string | null;
  /** Where the block was published; `null` for one of the catalog itself. */
  list_url: string | null;
  /** RFC 3339: as of when the ranges are known; of several lists the oldest. `null` for ranges without a date. */
  as_of: string | null;
}

export interface ReverseDnsStep {
  method: 'reverse_dns';
  outcome: AddressOutcome;
  reason: AddressReason;
  /** What the address's PTR says, five names at most. */
  host_names: string[];
  /** The one of them that led back to the address. */
  confirmed_host_name: string | null;
}

/** Everything that was looked at, in order. */
export type VerificationStep = SignatureStep | IpRangeStep | ReverseDnsStep;

/** What the result rests on, for the site's owner to see. */
export interface IdentificationEvidence {
  /** The part of the User-Agent that named an agent, and that agent's token. */
  user_agent_match: string | null;
  user_agent_token: string | null;
  /** The header that the client address came from, and how it was chosen or why there is none. */
  client_address_source: string | null;
  client_address_reason: ClientAddressReason;
  steps: VerificationStep[];
}
