import { rulesChange } from '../../rules/rules-change.js';
import { groupsText } from './groups-text.js';

it('separates groups, and lines outside of groups, with blank lines', () => {
  const text =
    '# Hello\r\nUser-agent: a # one\r\n\r\nUser-agent: b\r\nSitemap: https://s\r\nDisallow: /x\r\nUser-agent: c\r\nAllow: /';
  expect(groupsText(text)).toBe(
    'User-agent: a\nUser-agent: b\nDisallow: /x\n\nSitemap: https://s\n\nUser-agent: c\nAllow: /',
  );
  expect(groupsText(null)).toBe('');
});

it('makes two files comparable by agent, ignoring comments', () => {
  const [before, now] = ['User-agent: *\nDisallow: /a', '# New\nUser-agent: *\nDisallow: /a\nDisallow: /b'].map(
    groupsText,
  );
  expect(rulesChange(before!, now!, 'blocks')).toEqual({
    added: [],
    removed: [],
    changed: [
      { name: '*', before: ['User-agent: *', 'Disallow: /a'], now: ['User-agent: *', 'Disallow: /a', 'Disallow: /b'] },
    ],
  });
});
