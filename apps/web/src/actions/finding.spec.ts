import { toTicket } from './finding.js';

const RANGE = { from: '2026-11-29T16:00:00.000Z', to: '2026-11-30T16:00:00.000Z' };

describe('toTicket', () => {
  it('summarizes a finding as plain text', () => {
    const finding = {
      title: 'GPTBot visits rose from 146 to 280',
      facts: [
        ['Agent', 'GPTBot by OpenAI'],
        ['Why', '120 more from 203.0.113.0/24'],
        ['Reason', ''],
      ] as const,
      range: RANGE,
      timeZone: 'Europe/Berlin',
    };
    const text = toTicket(finding, {
      project: 'Shop',
      url: 'https://traffic.example/projects/1/visits',
      now: Date.parse('2026-12-01T00:00:00Z'),
    });
    expect(text.replaceAll(/[\u2009\u202f]/g, ' ')).toBe(
      [
        'GPTBot visits rose from 146 to 280',
        '',
        'Project: Shop',
        'Agent: GPTBot by OpenAI',
        'Why: 120 more from 203.0.113.0/24',
        'Time range: Nov 29, 2026, 5:00 PM – Nov 30, 2026, 5:00 PM (Europe/Berlin)',
        'Details: https://traffic.example/projects/1/visits',
      ].join('\n'),
    );
  });

  it('ends the time range now at the latest', () => {
    const finding = { title: 'GPTBot', facts: [], range: RANGE, timeZone: 'UTC' };
    const text = toTicket(finding, { project: 'Shop', url: null, now: Date.parse('2026-11-30T15:52:00Z') });
    expect(text).toMatch(/3:52\sPM \(UTC\)$/);
  });
});
