import { chooseIpRangeStep, chooseSignatureStep, type EarlierEvidence } from './earlier-evidence.js';
import type { IpRangeStep, SignatureStep } from './verification.js';
import { IP_RANGE_REASONS, SIGNATURE_REASONS, type IpRangeReason, type SignatureReason } from './vocabulary.js';

const AT = '2026-10-01T00:00:00.000Z';
const LIST = 'https://bot.example/ips.json';

const signatureStep = (reason: SignatureReason, token: string | null = 'Signbot', keyId = 'key'): SignatureStep => ({
  method: 'http_message_signature',
  outcome: SIGNATURE_REASONS[reason][0],
  reason,
  label: 'sig1',
  key_id: keyId,
  algorithm: 'ed25519',
  signature_agent: '"https://bot.example"',
  directory_url: 'https://bot.example/.well-known/http-message-signatures-directory',
  agent_token: token,
  created: null,
  expires: null,
  covered_components: [],
});
const ipRangeStep = (reason: IpRangeReason, url: string | null = LIST): IpRangeStep => ({
  method: 'ip_range',
  outcome: IP_RANGE_REASONS[reason][0],
  reason,
  range: null,
  list_url: reason === 'ok' ? url : null,
  as_of: null,
});
const earlierEvidence = (step: SignatureStep | IpRangeStep, agentId = 'agent'): EarlierEvidence => ({
  agentId,
  at: AT,
  steps: [step],
});

describe('chooseSignatureStep', () => {
  it.each<{ was: SignatureReason; is: SignatureReason; counts: SignatureReason; why: string }>([
    { was: 'ok', is: 'key_not_in_directory', counts: 'ok', why: 'the key was removed' },
    { was: 'ok', is: 'directory_unreachable', counts: 'ok', why: 'the directory is unreachable' },
    { was: 'ok', is: 'authority_not_expected', counts: 'ok', why: 'the site had a different host name at the time' },
    {
      was: 'bad_signature',
      is: 'key_not_in_directory',
      counts: 'bad_signature',
      why: 'an invalid signature remains invalid',
    },
    { was: 'directory_pending', is: 'ok', counts: 'ok', why: 'the key is now available' },
    { was: 'directory_pending', is: 'bad_signature', counts: 'bad_signature', why: 'the key is now available' },
    { was: 'bad_signature', is: 'ok', counts: 'ok', why: 'the key is still available' },
  ])('returns $counts if the reason was $was and is now $is: $why', ({ was, is, counts }) => {
    const step = chooseSignatureStep(signatureStep(is), earlierEvidence(signatureStep(was, 'Oldname')));
    expect([step.reason, step.agent_token]).toEqual([counts, 'Signbot']);
    expect(step.judged_at).toBe(counts === is ? undefined : AT);
  });

  it('ignores an earlier signature check if the directory is unlisted or the key differs', () => {
    const unlistedStep = signatureStep('signature_agent_not_listed', null);
    expect(chooseSignatureStep(unlistedStep, earlierEvidence(signatureStep('ok')))).toBe(unlistedStep);
    const stepWithoutKey = signatureStep('key_not_in_directory');
    expect(chooseSignatureStep(stepWithoutKey, earlierEvidence(signatureStep('ok', 'Signbot', 'another')))).toBe(
      stepWithoutKey,
    );
    expect(chooseSignatureStep(stepWithoutKey, undefined)).toBe(stepWithoutKey);
  });

  it('preserves the time of the original verdict', () => {
    const earlierStep = { ...signatureStep('ok'), judged_at: '2026-09-01T00:00:00.000Z' };
    expect(chooseSignatureStep(signatureStep('key_not_in_directory'), earlierEvidence(earlierStep)).judged_at).toBe(
      earlierStep.judged_at,
    );
  });
});

describe('chooseIpRangeStep', () => {
  it.each<{ was: IpRangeReason; is: IpRangeReason; counts: IpRangeReason }>([
    { was: 'ok', is: 'address_not_listed', counts: 'ok' },
    { was: 'ok', is: 'visit_too_old', counts: 'ok' },
    { was: 'address_not_listed', is: 'visit_too_old', counts: 'address_not_listed' },
    { was: 'address_not_listed', is: 'list_too_old', counts: 'address_not_listed' },
    { was: 'address_not_listed', is: 'ok', counts: 'ok' },
    { was: 'list_too_old', is: 'address_not_listed', counts: 'address_not_listed' },
    { was: 'list_too_old', is: 'visit_too_old', counts: 'list_too_old' },
  ])('returns $counts if the reason was $was and is now $is', ({ was, is, counts }) => {
    expect(chooseIpRangeStep(ipRangeStep(is), 'agent', [LIST], earlierEvidence(ipRangeStep(was))).reason).toBe(counts);
  });

  it('ignores an earlier step based on a removed list, on no list or on another agent', () => {
    const now = ipRangeStep('visit_too_old');
    expect(chooseIpRangeStep(now, 'agent', [], earlierEvidence(ipRangeStep('ok')))).toBe(now);
    expect(chooseIpRangeStep(now, 'agent', [LIST], earlierEvidence(ipRangeStep('ok', null)))).toBe(now);
    expect(chooseIpRangeStep(now, 'agent', [LIST], earlierEvidence(ipRangeStep('ok'), 'another'))).toBe(now);
  });
});
