import { ImportSummary } from '#libs/access-log';
import { buildOverviewUrl, renderCounts, renderSummary } from './summary-text.js';

const LINE = { client: '192.0.2.7', time: '2015-05-17T10:05:03+02:00', method: 'GET', path: '/a' };

it('shows counts and unreadable lines, and escapes control characters', () => {
  const summary = new ImportSummary();
  for (let number = 1; number <= 25; number += 1) summary.addUnreadable('a.log', number, 'no request', 'bad \x1b[2J');
  summary.addBlank();
  for (let visit = 0; visit < 5; visit += 1) summary.addReadable(LINE);
  summary.addSent([{ userAgent: 'x' }, {}], { rejected: 1, repeated: 0 });
  summary.addRejected('a.log', 1_025, 2_048, 3, '422: no');
  summary.failures.push('b.gz: unexpected end of file');
  const text = renderSummary(summary, { title: 'Done', dryRun: false });
  expect(text).toContain(['  Lines read  31', '  Visits sent  1', '  Rejected     4', '  Unreadable  25'].join('\n'));
  expect(text).toContain('the first 20 of 25');
  expect(text).toContain('a.log:20  no request\n    bad \\x1b[2J');
  expect(text).not.toContain('a.log:21');
  expect(text).toContain('a.log:1025-2048 (3 visits): 422: no');
  expect(text).toContain('b.gz: unexpected end of file');
  expect(summary.examples).toHaveLength(3);
  expect(summary.complete).toBe(false);
});

it('counts already recorded visits separately', () => {
  const summary = new ImportSummary();
  for (const repeated of [1, 1, 0]) {
    summary.addReadable(LINE);
    summary.addSent([{ userAgent: 'x' }], { rejected: 0, repeated });
  }
  expect(renderSummary(summary, { title: 'Done', dryRun: false })).toBe(
    'Done\n\n  Lines read       3\n  Visits sent      1\n  Already recorded 2\n  Rejected         0\n  Unreadable       0',
  );
});

it('shows what a dry run would send', () => {
  const summary = new ImportSummary();
  summary.addReadable(LINE);
  expect(renderSummary(summary, { title: 'Done', dryRun: true })).toBe(
    'Done\n\n  Lines read    1\n  Would be sent 1\n  Unreadable    0',
  );
  expect(summary.complete).toBe(true);
});

it('links to the imported time range', () => {
  const range = { from: '2015-05-17T07:45:00.000Z', to: '2015-05-17T22:45:00.000Z' };
  expect(buildOverviewUrl('http://127.0.0.1:3000', 'x', range)).toBe(
    'http://127.0.0.1:3000/projects/x/overview?from=2015-05-17T07%3A45%3A00.000Z&to=2015-05-17T22%3A45%3A00.000Z',
  );
});

it('aligns the counts in a summary', () => {
  const rows = [
    { label: 'Googlebot', count: 1_234 },
    { label: 'no known agent', count: 5 },
  ];
  expect(renderCounts('Top', rows)).toBe('Top\n  1,234  Googlebot\n      5  no known agent');
});

it('suggests --map for JSON in an unknown format', () => {
  const summary = new ImportSummary();
  summary.addUnreadable('a.log', 1, 'JSON object in an unknown format (keys: a, b)', '{"a":1,"b":2}');
  expect(renderSummary(summary, { title: 'Done', dryRun: true })).toMatch(
    /specify the location of each field with --map\.$/,
  );
});

it('suggests --log-format if no line has a known format', () => {
  const summary = new ImportSummary();
  summary.addUnreadable('a.log', 1, 'no time', 'hello world');
  expect(renderSummary(summary, { title: 'Done', dryRun: true })).toMatch(/with --log-format\.$/);
});
