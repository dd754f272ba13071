import { decide } from './robots-decision.js';
import { readRobotsFile } from './robots-file.js';

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

const decided = (token: string, path: string, text = FILE) => {
  const decision = decide(readRobotsFile(Buffer.from(text)), token, path);
  if (decision.reason !== 'rule') return decision.reason;
  return [decision.isAllowed, decision.rule.line, decision.userAgent.line];
};

it('selects the rule with the most octets (RFC 9309 section 2.2.2)', () => {
  expect(decided('a', '/private/')).toEqual([false, 7, 5]);
  expect(decided('a', '/private/press/x')).toEqual([true, 8, 5]);
  expect(decided('b', '/private/press/x.pdf')).toEqual([false, 9, 6]);
  // Fewer characters, but more octets than the other rule.
  expect(decided('x', '/\u30c4', 'User-agent: *\nAllow: /\u30c4\nDisallow: /*****')).toEqual([true, 2, 1]);
});

it('prefers Allow among equal rules, then the first rule (section 2.2.2)', () => {
  expect(decided('a', '/tie')).toEqual([true, 10, 5]);
  expect(decided('a', '/tie', 'User-agent: a\nDisallow: /tie\nAllow: /%74ie')).toEqual([true, 3, 1]);
  expect(decided('a', '/twice')).toEqual([false, 12, 5]);
});

it('allows paths without a matching rule or group (sections 2.2.1 and 2.2.2)', () => {
  expect(decided('a', '/')).toBe('no_rule');
  expect(decided('c', '/private/')).toBe('no_rule');
  expect(decided('a', '/', '')).toBe('no_group');
  expect(decided('b', '/', 'User-agent: a\nDisallow: /')).toBe('no_group');
});

it('reports which of several groups contains the rule (section 2.2.1)', () => {
  expect(decided('a', '/later')).toEqual([false, 19, 18]);
  expect(decided('d', '/private/')).toEqual([false, 3, 2]);
});

it('allows robots.txt itself (section 2.2.2)', () => {
  expect(decided('a', '/robots.txt', 'User-agent: *\nDisallow: /')).toBe('robots_txt');
  expect(decided('a', '/robots.txt.bak', 'User-agent: *\nDisallow: /')).toEqual([false, 2, 1]);
});
