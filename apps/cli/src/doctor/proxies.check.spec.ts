import { checkProxies } from './proxies.check.js';

it('warns about each untrusted proxy and names the setting to change', () => {
  const report = { service: 'console', untrusted_forwarders: [{ address: '172.18.0.1', requests: 21 }] };
  expect(checkProxies([{ service: 'gateway', untrusted_forwarders: [] }, report])).toEqual([
    {
      subject: 'trusted proxies',
      status: 'warning',
      detail: expect.stringMatching(/^console: .* 172\.18\.0\.1 .* 21 request/),
      advice: expect.stringContaining('add 172.18.0.1 to TRUSTED_PROXIES for console'),
    },
  ]);
});

it('reports ok if only trusted proxies forward requests', () => {
  expect(checkProxies([{ service: 'agent-traffic', untrusted_forwarders: [] }])).toMatchObject([{ status: 'ok' }]);
  expect(checkProxies([])).toMatchObject([{ status: 'ok' }]);
});
