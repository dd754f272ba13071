import { hashUserAgentGroup } from './user-agent-group-hash.js';
import { toUserAgentGroup } from './user-agent-group.js';

describe('toUserAgentGroup', () => {
  it.each([
    ['AcmeBot/2.1', 'AcmeBot/*'],
    [
      'AcmeBot/2.1.0-beta+build.4471 (build 4471; +https://acme.example/bot)',
      'AcmeBot/*-beta+build.* (build *; +https://acme.example/bot)',
    ],
    ['price-watch v3', 'price-watch *'],
    ['AcmeBot2', 'AcmeBot*'],
    ['sync/3f2b8c1a-9d4e-4c1a-8f00-aabbccddeeff', 'sync/*'],
    ['worker run-f9e8d7c6', 'worker run-*'],
    ['snapshot 2026-11-23T10:00:00', 'snapshot *'],
    ['Mozilla/5.0 (X11; Linux x86_64) Foo', 'Mozilla/* (X*; Linux x*) Foo'],
    ['see http://4you.example/ and a@b.example', 'see http://4you.example/ and a@b.example'],
    ['two\tlines\r\nof  it', 'two lines of it'],
    ['  ', '(no user agent)'],
  ])('maps %p to %p', (userAgent, group) => {
    expect(toUserAgentGroup(userAgent)).toBe(group);
  });

  it('returns well-formed text of at most 200 characters without NUL bytes', () => {
    const group = toUserAgentGroup(`${'x'.repeat(199)}😀\ud800\0`);
    expect(group.length).toBeLessThanOrEqual(200);
    expect(group.isWellFormed()).toBe(true);
    expect(group).not.toContain('\0');
  });

  it('returns a stable number for each group', () => {
    expect(hashUserAgentGroup('AcmeBot/*')).toBe(hashUserAgentGroup(toUserAgentGroup('AcmeBot/9.9')));
    expect(hashUserAgentGroup('AcmeBot/*')).toBe(374145069);
  });
});
