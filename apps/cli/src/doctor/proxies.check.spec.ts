import { checkProxies } from './proxies.check.js';

it('names each untrusted proxy and the setting to change', () => {
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

it('reports no problem while only trusted proxies forward requests', () => {
  expect(checkProxies([{ service: 'agent-traffic', untrusted_forwarders: [] }])).toMatchObject([{ status: 'ok' }]);
  expect(checkProxies([])).toMatchObject([{ status: 'ok' }]);
});
