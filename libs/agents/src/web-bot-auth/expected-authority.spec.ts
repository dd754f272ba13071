import { classifyAuthority } from './expected-authority.js';

describe('classifyAuthority', () => {
  it('accepts any authority if the site has no host names', () => {
    expect(classifyAuthority('evil.example', [])).toBe('expected');
  });

  it.each([
    ['shop.example', 'expected'],
    ['shop.example:8443', 'expected'],
    ['shop.example.', 'expected'],
    ['other.example:444', 'expected'],
    ['other.example', 'foreign'],
    ['evil.shop.example', 'foreign'],
    ['evil.example', 'foreign'],
    ['203.0.113.9', 'foreign'],
    ['[2001:db8::1]:443', 'foreign'],
    ['localhost', 'internal'],
    ['localhost:3000', 'internal'],
    ['web-1:8080', 'internal'],
    ['api.default.svc.cluster.local', 'internal'],
    ['10.1.2.3:80', 'internal'],
    ['192.168.0.1', 'internal'],
    ['127.0.0.1', 'internal'],
    ['[::1]:3000', 'internal'],
    ['[fd00::1]', 'internal'],
  ])('classifies %s as %s', (authority, standing) => {
    expect(classifyAuthority(authority, ['shop.example', 'other.example:444'])).toBe(standing);
  });
});
