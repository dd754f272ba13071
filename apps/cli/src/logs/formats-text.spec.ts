import { LOG_FORMATS } from '#libs/access-log';
import { renderFormats } from './formats-text.js';

it('lists each format with its verification methods and limits', () => {
  const lines = renderFormats(LOG_FORMATS).split('\n');
  expect(lines[0]).toMatch(/^--format +Log source +Verified by$/);
  const caddy = lines.findIndex((line) => line.startsWith('caddy '));
  expect(lines[caddy]).toMatch(/^caddy +Caddy, JSON +addresses and signatures$/);
  const common = lines.findIndex((line) => line.startsWith('common '));
  expect(lines[common + 1]).toMatch(/^ {2}No user agents/);
  expect(lines.filter((line) => /^[a-z]/.test(line))).toHaveLength(LOG_FORMATS.length);
});
