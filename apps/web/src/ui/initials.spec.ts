import { getInitials } from './initials.js';

it.each([
  ['GPTBot', 'GB'],
  ['ChatGPT-User', 'CG'],
  ['OAI-SearchBot', 'OS'],
  ['Googlebot', 'G'],
  ['bingbot', 'B'],
  ['Common Crawl Foundation', 'CC'],
  ['Ökosuche', 'Ö'],
  ['360Spider', '3'],
  ['–', ''],
])('abbreviates %s to %s', (name, initials) => expect(getInitials(name)).toBe(initials));
