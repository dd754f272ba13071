import type { PolicyRule } from '#libs/contracts';
import { toPaymentFilters } from './rule-payments.js';

const charge = (parts: Partial<PolicyRule>): PolicyRule => ({
  id: 'a',
  name: 'Archive',
  mode: 'live',
  action: { kind: 'charge', price: 'USD 0.01', url: 'https://shop.example/' },
  ...parts,
});

describe('toPaymentFilters', () => {
  it('returns filters with the meaning of the rule', () => {
    expect(
      toPaymentFilters(
        charge({
          visitors: { agent_tokens: ['GPTBot'] },
          requests: { paths: ['/archive/*', '/a*b', '/*.pdf$', '/docs'] },
        }),
      ),
    ).toEqual({ agent: ['GPTBot'], path: ['/archive/*', '/a*b*', '/*.pdf', '/docs'] });
    expect(toPaymentFilters(charge({ visitors: { agent_types: ['Scraper'] } }))).toEqual({ type: ['Scraper'] });
  });

  it('returns null for rules that filters cannot express', () => {
    expect(toPaymentFilters(charge({ action: { kind: 'refuse' } }))).toBeNull();
    expect(toPaymentFilters(charge({ visitors: { agent_tokens: ['GPTBot'], operators: ['OpenAI'] } }))).toBeNull();
    expect(toPaymentFilters(charge({ requests: { methods: ['GET'] } }))).toBeNull();
    expect(toPaymentFilters(charge({ visitors: { results: ['verified'] } }))).toBeNull();
  });
});
