import { ImportSummary, LOG_FORMATS, mappedFormat } from '#libs/access-log';
import { renderSource, renderVisits } from './source-text.js';

const LINE = { client: '192.0.2.7', time: '2015-05-17T10:05:03+02:00', method: 'GET', path: '/a' };
const formatNamed = (name: string) => LOG_FORMATS.find((format) => format.name === name)!;

it('shows the detected formats, verification methods and missing fields', () => {
  const summary = new ImportSummary();
  for (const name of ['combined', 'combined', 'caddy']) summary.addReadable(LINE, formatNamed(name));
  const signed = { ...LINE, headers: { signature: 'sig1=:aa==:', 'signature-input': 'sig1=()' }, userAgent: 'x' };
  summary.addReadable(signed, formatNamed('caddy'));
  expect(renderSource(summary)).toBe(
    [
      'Formats',
      '  Apache and nginx, combined (combined): 2 lines',
      '    Visits can be verified by addresses (published lists and reverse DNS).',
      '    No durations. Headers are limited to user agent and referer.',
      '  Caddy, JSON (caddy): 2 lines',
      '    Visits can be verified by addresses (published lists and reverse DNS) and Web Bot Auth signatures.',
      '  Missing from every line: status, size, duration, host, referer, X-Forwarded-For, response headers',
      '  Signed requests: 1 of 4',
      '  Without a User-Agent: 3 of 4 lines',
    ].join('\n'),
  );
});

it('omits the signature count for formats that cannot contain signatures', () => {
  const summary = new ImportSummary();
  summary.addReadable(LINE, mappedFormat({ time: 't', client: 'c', path: 'p' }));
  expect(renderSource(summary)).toMatch(/^Format\n {2}Custom JSON \(mapped\): 1 line\n/);
  expect(renderSource(summary)).not.toContain('Signed requests');
});

it('shows each visit field by field and escapes control characters', () => {
  const visit = {
    request_path: '/a\u001b[2J',
    request_method: 'GET',
    request_headers: { 'user-agent': 'x'.repeat(300) },
    response_headers: {},
  };
  const lines = renderVisits([visit, visit]).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'First visits that would be sent',
    '  1.',
    '     request_path      /a\\x1b[2J',
    '     request_method    GET',
  ]);
  expect(lines[4]).toBe('     request_headers');
  expect(lines[5]).toMatch(/^ {7}user-agent +x{199}…$/);
  expect(lines[6]).toBe('     response_headers  none');
  expect(lines[7]).toBe('  2.');
});
