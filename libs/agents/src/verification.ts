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
  /** When it was found out, RFC 3339, if not with the rest: it can't be found out again. */
  judged_at?: string;
}

/** One Web Bot Auth signature of a request, judged. */
export interface SignatureStep extends KeptStep {
  method: 'http_message_signature';
  outcome: SignatureOutcome;
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

export interface IpRangeStep extends KeptStep {
  method: 'ip_range';
  outcome: AddressOutcome;
  reason: IpRangeReason;
  /** The most specific block that holds the address. */
  range: string | null;
  /** Where the block was published; `null` for one of the catalog itself. */
  list_url: string | null;
  /** RFC 3339: as of when the ranges are known; of several lists the oldest. `null` for ranges without a date. */
  as_of: string | null;
}

export interface ReverseDnsStep extends KeptStep {
  method: 'reverse_dns';
  outcome: AddressOutcome;
  reason: ReverseDnsReason;
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
  /** Only for agents whose address came from a header that the project doesn't vouch for. */
  client_address_note?: ClientAddressNote;
  /** Only for visitors who name no agent and come from a range that is published for one. */
  address_origin?: AddressOrigin;
  steps: VerificationStep[];
}
