import type { DnsAnswer, EvidenceSources } from '#libs/agents';
import { bundledIdentifier, NO_SOURCES } from '../../../../test/kit/identifier.js';
import { IdentificationService } from './identification.service.js';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const SITE = { trustedProxies: {}, hostNames: [] };

it('gives every item of a long list its time, though the first takes all of it', async () => {
  const sources: EvidenceSources = {
    ...NO_SOURCES,
    dns: {
      hostNames: ({ text }) =>
        new Promise<DnsAnswer>((resolve) => {
          if (text !== '203.0.113.1') setTimeout(() => resolve({ values: ['crawl.googlebot.com'] }), 20);
        }),
      addresses: () => ({ values: ['203.0.113.2'] }),
    },
  };
  const items = Array.from({ length: 250 }, (_, index) => ({
    method: null,
    path: null,
    headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': index === 0 ? '203.0.113.1' : '203.0.113.2' },
  }));
  const service = new IdentificationService(bundledIdentifier(sources));
  // Compiles what the first look-up finds.
  await service.identify(items.slice(1, 2), SITE);
  const results = await service.identify(items, SITE, 500);
  expect(results.map(({ result }) => result)).toEqual(['not_verifiable', ...Array(249).fill('verified')]);
});
