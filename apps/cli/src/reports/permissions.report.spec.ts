import { permissionsReport } from './permissions.report.js';

const statement = (mechanism: string, outcome: string, text: string, line: number | null = null) => ({
  mechanism,
  outcome,
  user_agent: '*',
  text,
  line,
});
const cells = (signal: string | null, license: string | null) => [
  { mechanism: 'content_signal', outcome: signal, statements: [] },
  { mechanism: 'license', outcome: license, statements: [] },
];
const matrix = (id: string, contradictions: object[]) => ({
  version: { id, served_from: '2026-11-20T08:00:00.000Z' },
  visits: 3,
  purposes: [
    { purpose: 'training', outcome: 'disallowed', cells: cells('allowed', 'disallowed') },
    { purpose: 'search', outcome: 'allowed', cells: cells('allowed', null) },
    { purpose: 'user', outcome: null, cells: cells(null, 'conditional') },
  ],
  contradictions,
  licenses: [],
});
const CONTRADICTION = {
  purpose: 'training',
  mechanism: 'content_signal',
  permissions: [statement('content_signal', 'allowed', 'Content-Signal: ai-train=yes\u202E', 2)],
  restrictions: [statement('license', 'disallowed', 'https://shop.example/license.xml')],
  agents: ['GPTBot'],
  visits: 3,
  examples: [],
};
const RESPONSE = {
  host: 'shop.example',
  mechanisms: [
    {
      mechanism: 'content_signal',
      label: 'Content-Signal',
      references: [{ name: 'Content Signals Policy', date: null, url: '' }],
    },
    { mechanism: 'license', label: 'RSL license', references: [{ name: 'RSL 1.0', date: '2025-12-10', url: '' }] },
  ],
  sample: { visits: 20_000, is_partial: true },
  matrices: [matrix('b', [CONTRADICTION]), matrix('a', [])],
};

it('lists the outcomes of the newest version and its contradictions', () => {
  const { summary, headings, rows, csv } = permissionsReport.read(RESPONSE as never);
  expect(summary.split('\n')).toEqual([
    'shop.example, robots.txt since 2026-11-20T08:00:00.000Z: 1 contradiction. Based on 20,000 visits (a sample).',
    '- AI training: Content-Signal permits it (Content-Signal: ai-train=yes\\u202e), but not RSL license (https://shop.example/license.xml). 3 visits.',
  ]);
  expect(headings).toEqual(['MECHANISM', 'AI TRAINING', 'SEARCH', 'AI ANSWERS', 'BASED ON']);
  expect(rows).toEqual([
    ['Content-Signal', 'allowed !', 'allowed', '-', 'Content Signals Policy'],
    ['RSL license', 'disallowed', '-', 'conditional', 'RSL 1.0 (2025-12-10)'],
  ]);
  expect(csv).toHaveLength(5);
  expect(csv[0]!.slice(0, 4)).toEqual(['version', 'served_from', 'mechanism', 'ai_training']);
});
