import { formatPatterns, parsePatterns } from './pattern-lines.js';

it('reads one pattern per line, with an optional name', () => {
  const patterns = [
    { name: 'Docs and guides', pattern: '/docs/*' },
    { name: '*.pdf', pattern: '*.pdf' },
  ];
  expect(parsePatterns('  /docs/*   Docs and guides \n\n*.pdf\n')).toEqual(patterns);
  expect(formatPatterns(patterns)).toBe('/docs/* Docs and guides\n*.pdf');
  expect(parsePatterns('')).toEqual([]);
});
