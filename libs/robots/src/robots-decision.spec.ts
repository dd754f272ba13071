import { decideRobotsAccess } from './robots-decision.js';
import { parseRobotsFile } from './robots-file.js';

const FILE = `
User-agent: *
Disallow: /private/

User-agent: a
User-agent: b
Disallow: /private/
Allow: /private/press/
Disallow: /private/press/*.pdf$
Allow: /tie
Disallow: /tie
Disallow: /twice
Disallow: /twice

User-agent: c
Disallow:

User-agent: A
Disallow: /later`;

const decideForToken = (token: string, path: string, text = FILE) => {
  const decision = decideRobotsAccess(parseRobotsFile(Buffer.from(text)), token, path);
  if (decision.reason !== 'rule') return decision.reason;
  return [decision.isAllowed, decision.rule.line, decision.userAgent.line];
};

it('decideRobotsAccess selects the rule with the most octets (RFC 9309, section 2.2.2)', () => {
  expect(decideForToken('a', '/private/')).toEqual([false, 7, 5]);
  expect(decideForToken('a', '/private/press/x')).toEqual([true, 8, 5]);
  expect(decideForToken('b', '/private/press/x.pdf')).toEqual([false, 9, 6]);
  // Fewer characters but more octets than the other rule.
  expect(decideForToken('x', '/\u30c4', 'User-agent: *\nAllow: /\u30c4\nDisallow: /*****')).toEqual([true, 2, 1]);
});

it('decideRobotsAccess prefers Allow among equal rules, then the first rule (RFC 9309, section 2.2.2)', () => {
  expect(decideForToken('a', '/tie')).toEqual([true, 10, 5]);
  expect(decideForToken('a', '/tie', 'User-agent: a\nDisallow: /tie\nAllow: /%74ie')).toEqual([true, 3, 1]);
  expect(decideForToken('a', '/twice')).toEqual([false, 12, 5]);
});

it('decideRobotsAccess allows paths without a matching rule or group (RFC 9309, section 2.2)', () => {
  expect(decideForToken('a', '/')).toBe('no_rule');
  expect(decideForToken('c', '/private/')).toBe('no_rule');
  expect(decideForToken('a', '/', '')).toBe('no_group');
  expect(decideForToken('b', '/', 'User-agent: a\nDisallow: /')).toBe('no_group');
});

it('decideRobotsAccess reports which group contains the rule (RFC 9309, section 2.2.1)', () => {
  expect(decideForToken('a', '/later')).toEqual([false, 19, 18]);
  expect(decideForToken('d', '/private/')).toEqual([false, 3, 2]);
});

it('decideRobotsAccess allows robots.txt itself (RFC 9309, section 2.2.2)', () => {
  expect(decideForToken('a', '/robots.txt', 'User-agent: *\nDisallow: /')).toBe('robots_txt');
  expect(decideForToken('a', '/robots.txt.bak', 'User-agent: *\nDisallow: /')).toEqual([false, 2, 1]);
});
