import { unlistedReport } from './unlisted.report.js';

const GROUP = {
  user_agent_group: 'AcmeFetch/* (+https://acme.example/)',
  visits: 12,
  likely: 10,
  signs: ['contact', 'of_a_later_release'],
  networks: [{ prefix: '192.0.2.0/24', client_network: { operator_name: 'Example Hosting' } }],
  paths: ['/', '/robots.txt'],
  probed_paths: [],
  first_seen_at: '2026-11-20T08:00:00.000Z',
  last_seen_at: '2026-11-21T08:00:00.000Z',
};
const read = (answer: object) => unlistedReport.read(answer as never);

describe('report unlisted', () => {
  it('lists user agents with their signs of automation', () => {
    const text = read({ likely: 10, unclear: 2, groups: [GROUP], other_groups: 1, dismissed_visits: 3 });
    expect(text.summary).toBe(
      '10 visits likely made by programs, 2 unclear. Not shown: 1 user agent. Dismissed: 3 visits.',
    );
    expect(text.rows[0]!.slice(0, 4)).toEqual([
      'AcmeFetch/* (+https://acme.example/)',
      '12',
      '10',
      'Gives a contact address, Of a later release',
    ]);
    expect(text.csv[1]).toContain('192.0.2.0/24 Example Hosting');
    expect(text.csv[1]).toContain('2026-11-20T08:00:00.000Z');
  });

  it('truncates long user agents in the terminal but not in CSV', () => {
    const long = { ...GROUP, user_agent_group: 'x'.repeat(200) };
    const text = read({ likely: 1, unclear: 0, groups: [long], other_groups: 0, dismissed_visits: 0 });
    expect(text.rows[0]![0]).toHaveLength(60);
    expect(text.csv[1]![0]).toHaveLength(200);
  });
});
