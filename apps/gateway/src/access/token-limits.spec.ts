import { createProjectAccess } from '../../../../test/kit/project-access.js';
import type { ProjectAccess } from './access.repository.js';
import { TokenLimits } from './token-limits.js';

const limits = new TokenLimits();
const check = (overrides: Partial<ProjectAccess>, address = '192.0.2.1') =>
  limits.check(createProjectAccess(overrides), { clientAddress: address });

it('accepts a token without limits', () => {
  expect(() => check({})).not.toThrow();
  expect(() => check({ expiresAt: null, networks: [] }, 'not an address')).not.toThrow();
});

it('checks the expiry on every call, because cached tokens can expire', () => {
  expect(() => check({ expiresAt: Date.now() + 60_000 })).not.toThrow();
  expect(() => check({ expiresAt: Date.now() })).toThrow('The access token expired on');
});

it('accepts only addresses in the allowed IPv4 and IPv6 networks', () => {
  const networks = ['192.0.2.0/24', '2001:db8::/32'];
  for (const address of ['192.0.2.1', '2001:db8::7']) expect(() => check({ networks }, address)).not.toThrow();
  for (const address of ['192.0.3.1', '2001:db9::7', '', 'localhost']) {
    expect(() => check({ networks }, address)).toThrow('The access token may not be used from');
  }
});
