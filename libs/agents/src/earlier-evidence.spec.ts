import { ipRangeStepOf, signatureStepOf, type EarlierEvidence } from './earlier-evidence.js';
import type { IpRangeStep, SignatureStep } from './verification.js';
import { IP_RANGE_REASONS, SIGNATURE_REASONS, type IpRangeReason, type SignatureReason } from './vocabulary.js';

const AT = '2026-10-01T00:00:00.000Z';
const LIST = 'https://bot.example/ips.json';

const signed = (reason: SignatureReason, token: string | null = 'Signbot', keyId = 'key'): SignatureStep => ({
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
const ranged = (reason: IpRangeReason, url: string | null = LIST): IpRangeStep => ({
  method: 'ip_range',
  outcome: IP_RANGE_REASONS[reason][0],
  reason,
  range: null,
  list_url: reason === 'ok' ? url : null,
  as_of: null,
});
const earlier = (step: SignatureStep | IpRangeStep, agentId = 'agent'): EarlierEvidence => ({
  agentId,
  at: AT,
  steps: [step],
});

describe('signatureStepOf', () => {
  it.each<{ was: SignatureReason; is: SignatureReason; counts: SignatureReason; why: string }>([
    { was: 'ok', is: 'key_not_in_directory', counts: 'ok', why: 'its key is gone' },
    { was: 'ok', is: 'directory_unreachable', counts: 'ok', why: 'its directory is gone' },
    { was: 'ok', is: 'authority_not_expected', counts: 'ok', why: 'the site had another host name then' },
    { was: 'bad_signature', is: 'key_not_in_directory', counts: 'bad_signature', why: 'it is not forgiven' },
    { was: 'directory_pending', is: 'ok', counts: 'ok', why: 'its key is known by now' },
    { was: 'directory_pending', is: 'bad_signature', counts: 'bad_signature', why: 'its key is known by now' },
    { was: 'bad_signature', is: 'ok', counts: 'ok', why: 'it can be judged again' },
  ])('with $was before and $is now, returns $counts: $why', ({ was, is, counts }) => {
    const step = signatureStepOf(signed(is), earlier(signed(was, 'Oldname')));
    expect([step.reason, step.agent_token]).toEqual([counts, 'Signbot']);
    expect(step.judged_at).toBe(counts === is ? undefined : AT);
  });

  it('ignores an earlier verdict if the directory is unlisted or the key differs', () => {
    const unlisted = signed('signature_agent_not_listed', null);
    expect(signatureStepOf(unlisted, earlier(signed('ok')))).toBe(unlisted);
    const gone = signed('key_not_in_directory');
    expect(signatureStepOf(gone, earlier(signed('ok', 'Signbot', 'another')))).toBe(gone);
    expect(signatureStepOf(gone, undefined)).toBe(gone);
  });

  it('preserves the time of the first verdict', () => {
    const then = { ...signed('ok'), judged_at: '2026-09-01T00:00:00.000Z' };
    expect(signatureStepOf(signed('key_not_in_directory'), earlier(then)).judged_at).toBe(then.judged_at);
  });
});

describe('ipRangeStepOf', () => {
  it.each<{ was: IpRangeReason; is: IpRangeReason; counts: IpRangeReason }>([
    { was: 'ok', is: 'address_not_listed', counts: 'ok' },
    { was: 'ok', is: 'visit_too_old', counts: 'ok' },
    { was: 'address_not_listed', is: 'visit_too_old', counts: 'address_not_listed' },
    { was: 'address_not_listed', is: 'list_too_old', counts: 'address_not_listed' },
    { was: 'address_not_listed', is: 'ok', counts: 'ok' },
    { was: 'list_too_old', is: 'address_not_listed', counts: 'address_not_listed' },
    { was: 'list_too_old', is: 'visit_too_old', counts: 'list_too_old' },
  ])('with $was before and $is now, returns $counts', ({ was, is, counts }) => {
    expect(ipRangeStepOf(ranged(is), 'agent', [LIST], earlier(ranged(was))).reason).toBe(counts);
  });

  it('ignores earlier evidence of a removed list, without a list or of another agent', () => {
    const now = ranged('visit_too_old');
    expect(ipRangeStepOf(now, 'agent', [], earlier(ranged('ok')))).toBe(now);
    expect(ipRangeStepOf(now, 'agent', [LIST], earlier(ranged('ok', null)))).toBe(now);
    expect(ipRangeStepOf(now, 'agent', [LIST], earlier(ranged('ok'), 'another'))).toBe(now);
  });
});
