import { checkAddresses, type PathReport } from './addresses.check.js';

const report = (path: Partial<PathReport['path']>): PathReport => ({
  name: 'Shop',
  path: { is_stated: false, unconfirmed_visits: 0, proposal: null, ...path },
});

it('warns about addresses from forgeable headers and suggests a fix', () => {
  const proposal = { trusted_proxies: { networks: ['Cloudflare'] }, visits: 9 };
  const findings = checkAddresses([report({ unconfirmed_visits: 3 }), report({ unconfirmed_visits: 9, proposal })]);
  expect(findings.map(({ status }) => status)).toEqual(['warning', 'warning']);
  expect(findings[0]!.detail).toBe(
    'project "Shop": The address comes from a header that anyone can forge unless your proxy sets it.',
  );
  expect(findings[1]!.advice).toContain('suggested value: {"networks":["Cloudflare"]}');
});

it('reports ok if the proxies are configured or no visit is affected', () => {
  expect(checkAddresses([report({ is_stated: true, unconfirmed_visits: 3 }), report({})])).toEqual([
    expect.objectContaining({ status: 'ok' }),
  ]);
});
