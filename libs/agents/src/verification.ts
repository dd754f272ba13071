import type { AddressOrigin } from './address-origin.js';
import type { SignatureAlgorithm } from './web-bot-auth/signature-algorithm.js';
import type {
  AddressOutcome,
  ClientAddressNote,
  ClientAddressReason,
  IpRangeReason,
  ReverseDnsReason,
  SignatureOutcome,
  SignatureReason,
} from './vocabulary.js';

interface ReusableStep {
  /** Time of the earlier result (RFC 3339), if it is reused because the check can't be repeated. */
  judged_at?: string;
}

export interface SignatureStep extends ReusableStep {
  method: 'http_message_signature';
  outcome: SignatureOutcome;
  reason: SignatureReason;
  /** Label in Signature-Input, or null if the header is malformed. */
  label: string | null;
  key_id: string | null;
  algorithm: SignatureAlgorithm | null;
  /** Original Signature-Agent value. */
  signature_agent: string | null;
  /** URL of the key directory that Signature-Agent refers to. */
  directory_url: string | null;
  agent_token: string | null;
  /** Start of the signature's validity (RFC 3339, UTC). */
  created: string | null;
  /** End of the signature's validity (RFC 3339, UTC). */
  expires: string | null;
  /** Component identifiers from Signature-Input, such as `"@authority"`. */
  covered_components: string[];
}

export interface IpRangeStep extends ReusableStep {
  method: 'ip_range';
  outcome: AddressOutcome;
  reason: IpRangeReason;
  /** Most specific block containing the address. */
  range: string | null;
  /** URL of the list that contains the block, or null for blocks in the catalog itself. */
  list_url: string | null;
  /** Date of the ranges (RFC 3339), or of the oldest list if there are several. Null for undated ranges. */
  as_of: string | null;
}

export interface ReverseDnsStep extends ReusableStep {
  method: 'reverse_dns';
  outcome: AddressOutcome;
  reason: ReverseDnsReason;
  /** Up to five host names from the address's PTR records. */
  host_names: string[];
  /** Host name that resolved back to the address. */
  confirmed_host_name: string | null;
}

export type VerificationStep = SignatureStep | IpRangeStep | ReverseDnsStep;

export interface IdentificationEvidence {
  /** Part of the User-Agent that matched an agent's pattern. */
  user_agent_match: string | null;
  /** Token of the agent named in the User-Agent. */
  user_agent_token: string | null;
  /** Header that the client address comes from. */
  client_address_source: string | null;
  /** Reason why the client address was chosen, or why it is unknown. */
  client_address_reason: ClientAddressReason;
  /** Only set for agents whose address comes from a header that isn't confirmed by the project's settings. */
  client_address_note?: ClientAddressNote;
  /** Only set for visitors that don't claim to be an agent but come from an agent's published range. */
  address_origin?: AddressOrigin;
  steps: VerificationStep[];
}
