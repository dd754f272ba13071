import { checkProxies } from './proxies.check.js';

it('names each proxy that is not trusted, and what to set', () => {
  const report = { service: 'console', untrusted_forwarders: [{ address: '172.18.0.1', requests: 21 }] };
  expect(checkProxies([{ service: 'gateway', untrusted_forwarders: [] }, report])).toEqual([
    {
      subject: 'trusted proxies',
      status: 'warning',
      detail: expect.stringMatching(/^console: 172\.18\.0\.1 .* 21 request/),
      advice: expect.stringContaining('add 172.18.0.1 to TRUSTED_PROXIES of console'),
    },
  ]);
});

it('is content while nobody forwards but those who may', () => {
  expect(checkProxies([{ service: 'agent-traffic', untrusted_forwarders: [] }])).toMatchObject([{ status: 'ok' }]);
  expect(checkProxies([])).toMatchObject([{ status: 'ok' }]);
});
