import type { AddressOrigin } from './address-origin.js';
import type { SignatureAlgorithm } from './web-bot-auth/key-set.js';
import type {
  AddressOutcome,
  ClientAddressNote,
  ClientAddressReason,
  IpRangeReason,
  ReverseDnsReason,
  SignatureOutcome,
  SignatureReason,
} from './vocabulary.js';

interface KeptStep {
  /**
   * Time of the result, in RFC 3339 format. Set only if an earlier result was kept because the check can't be repeated.
   */
  judged_at?: string;
}

export interface SignatureStep extends KeptStep {
  method: 'http_message_signature';
  outcome: SignatureOutcome;
  reason: SignatureReason;
  /** Label in Signature-Input. Null if the header can't be parsed. */
  label: string | null;
  key_id: string | null;
  algorithm: SignatureAlgorithm | null;
  /** Signature-Agent as sent, and the URL of the key directory that it refers to. */
  signature_agent: string | null;
  directory_url: string | null;
  agent_token: string | null;
  /** RFC 3339, UTC. */
  created: string | null;
  expires: string | null;
  /** Identifiers as in Signature-Input, such as `"@authority"`. */
  covered_components: string[];
}

export interface IpRangeStep extends KeptStep {
  method: 'ip_range';
  outcome: AddressOutcome;
  reason: IpRangeReason;
  /** Most specific block that contains the address. */
  range: string | null;
  /** URL of the list that contains the block. Null for blocks of the catalog itself. */
  list_url: string | null;
  /**
   * Date of the ranges in RFC 3339 format. With several lists, the date of the oldest. Null for ranges without a date.
   */
  as_of: string | null;
}

export interface ReverseDnsStep extends KeptStep {
  method: 'reverse_dns';
  outcome: AddressOutcome;
  reason: ReverseDnsReason;
  /** Up to five host names from the PTR records of the address. */
  host_names: string[];
  /** Host name that resolves back to the address. */
  confirmed_host_name: string | null;
}

export type VerificationStep = SignatureStep | IpRangeStep | ReverseDnsStep;

export interface IdentificationEvidence {
  /** Part of the User-Agent that names an agent, and the token of that agent. */
  user_agent_match: string | null;
  user_agent_token: string | null;
  /** Header with the client address, and the reason why it was chosen or why there is no address. */
  client_address_source: string | null;
  client_address_reason: ClientAddressReason;
  /** Set only for agents whose address comes from a header that isn't confirmed by the project's settings. */
  client_address_note?: ClientAddressNote;
  /** Set only for visitors that name no agent but come from the published range of one. */
  address_origin?: AddressOrigin;
  steps: VerificationStep[];
}
