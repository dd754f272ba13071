import type { PolicyRule } from '#libs/contracts';
import { LocalPolicy } from '../../libs/engine/src/local-policy.js';

const rule = (n: number, parts: Partial<PolicyRule>): PolicyRule => ({
  id: `018f0000-0000-7000-8000-00000000000${n}`,
  name: `Rule ${n}`,
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});
const request = (visitor: { result: 'verified' | 'unknown_agent'; agent_token?: string }) => ({
  visitor,
  isLikelyAutomated: true,
  clientAddress: null,
  method: 'GET',
  host: 'site.example',
  path: '/',
});

it('still allows visitors while the instance is unreachable if an earlier rule allows them', () => {
  const policy = new LocalPolicy([
    rule(1, { action: { kind: 'allow' }, visitors: { agent_tokens: ['GoodBot'] } }),
    rule(2, { when_unreachable: 'enforce' }),
  ]);
  const decide = (agent_token: string) => policy.decide(request({ result: 'verified', agent_token }), null, false, 0);
  expect(decide('GoodBot')).toEqual({ response: null, header: null });
  expect(decide('OtherBot').response?.status).toBe(403);
});

it("retains an agent's allowance during a flood of unknown visitors", () => {
  const policy = new LocalPolicy([
    rule(1, {
      action: { kind: 'slow_down', requests_per_minute: 1 },
      visitors: { agent_tokens: ['Bot'], likely_automated: true },
    }),
  ]);
  const agent = request({ result: 'verified', agent_token: 'Bot' });
  expect(policy.decide(agent, null, true, 0).response).toBeNull();
  for (let n = 0; n < 50_000; n += 1) policy.decide(request({ result: 'unknown_agent' }), `visitor ${n}`, true, 0);
  expect(policy.decide(agent, null, true, 0).response?.status).toBe(429);
});
