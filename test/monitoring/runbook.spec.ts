import { readAlerts, readRunbook } from './alerts.js';

const SECTION_PARTS = ['Symptom', 'Check', 'Fix'];

it('contains exactly one complete runbook section per alert', () => {
  const alerts = readAlerts();
  const sections = readRunbook();
  expect([...sections.keys()].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  for (const [heading, text] of sections) {
    expect([heading, ...text.matchAll(/^- \*\*(.+?)\*\*:/gm).map(([, part]) => part!)]).toEqual([
      heading,
      ...SECTION_PARTS,
    ]);
  }
});

it('links each alert to its runbook section', () => {
  for (const { alert, annotations } of readAlerts()) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  }
});

it('mentions only existing alerts in the runbook', () => {
  const alertNames = new Set(readAlerts().map(({ alert }) => alert));
  const mentionedNames = [...readRunbook().values()].flatMap((text) => text.match(/AgentTraffic\w+/g) ?? []);
  expect(mentionedNames.filter((name) => !alertNames.has(name))).toEqual([]);
  expect(mentionedNames.length).toBeGreaterThan(5);
});
