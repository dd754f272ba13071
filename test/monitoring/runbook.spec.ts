import { readAlerts, readRunBook } from './alerts.js';

const PARTS = ['Symptom', 'Check', 'Fix'];

it('has exactly one complete runbook section per alert', () => {
  const alerts = readAlerts();
  const sections = readRunBook();
  expect([...sections.keys()].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  for (const [heading, text] of sections) {
    expect([heading, ...text.matchAll(/^- \*\*(.+?)\*\*:/gm).map(([, part]) => part!)]).toEqual([heading, ...PARTS]);
  }
});

it('links each alert to its runbook section', () => {
  for (const { alert, annotations } of readAlerts()) {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  }
});

it('mentions only existing alerts in the runbook', () => {
  const known = new Set(readAlerts().map(({ alert }) => alert));
  const named = [...readRunBook().values()].flatMap((text) => text.match(/AgentTraffic\w+/g) ?? []);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
