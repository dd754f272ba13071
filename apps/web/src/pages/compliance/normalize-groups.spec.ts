import { diffRules } from '../../rules/rules-change.js';
import { normalizeGroups } from './normalize-groups.js';

it('separates groups and lines outside groups with blank lines', () => {
  const text =
    '# Hello\r\nUser-agent: a # one\r\n\r\nUser-agent: b\r\nSitemap: https://s\r\nDisallow: /x\r\nUser-agent: c\r\nAllow: /';
  expect(normalizeGroups(text)).toBe(
    'User-agent: a\nUser-agent: b\nDisallow: /x\n\nSitemap: https://s\n\nUser-agent: c\nAllow: /',
  );
  expect(normalizeGroups(null)).toBe('');
});

it('makes two robots.txt files comparable by agent and ignores comments', () => {
  const [before, now] = ['User-agent: *\nDisallow: /a', '# New\nUser-agent: *\nDisallow: /a\nDisallow: /b'].map(
    normalizeGroups,
  );
  expect(diffRules(before!, now!, 'blocks')).toEqual({
    added: [],
    removed: [],
    changed: [
      { name: '*', before: ['User-agent: *', 'Disallow: /a'], now: ['User-agent: *', 'Disallow: /a', 'Disallow: /b'] },
    ],
  });
});
