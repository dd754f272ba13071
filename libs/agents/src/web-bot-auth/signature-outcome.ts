import type { SignatureOutcome, SignatureReason } from '../verification.js';

/** Something isn't known that would have to be: no signature is called invalid for these. */
export const UNDECIDED_SIGNATURE: ReadonlySet<SignatureReason> = new Set<SignatureReason>([
  'signature_agent_absent',
  'signature_agent_member_has_parameters',
  'signature_agent_not_listed',
  'component_unavailable',
  'query_unknown',
  'key_not_in_directory',
  'directory_unreachable',
  'directory_bad_status',
  'directory_redirected',
  'directory_malformed',
  'directory_address_refused',
  'directory_pending',
]);

/** `authority_not_expected` can be either; here it is what it is of a foreign host name. */
export function signatureOutcome(reason: SignatureReason): Exclude<SignatureOutcome, 'not_applicable'> {
  if (reason === 'ok') return 'verified';
  return UNDECIDED_SIGNATURE.has(reason) ? 'unverified' : 'invalid';
}
