import { formatValues } from './format-filter-value.js';

it.each([
  [['GPTBot'], 'GPTBot'],
  [['2xx', '3xx', '403'], '2xx, 3xx, or 403'],
  [['GPTBot', 'ClaudeBot', 'CCBot', 'Bytespider'], 'GPTBot, ClaudeBot, or 2 more'],
])('joins %j', (values, text) => expect(formatValues(values)).toBe(text));
