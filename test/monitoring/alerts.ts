/** Reads the alert rules in deploy/prometheus and their sections in the runbook. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(import.meta.dirname, '../..');
export const RULES_FILE = join(ROOT, 'deploy/prometheus/alerts.yml');

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface RuleFile {
  groups: { name: string; interval?: string; rules: Alert[] }[];
}

export const readRuleFile = (): RuleFile => parse(readFileSync(RULES_FILE, 'utf8')) as RuleFile;

export const readAlerts = (): Alert[] => readRuleFile().groups.flatMap(({ rules }) => rules);

/** Returns the text of each runbook section, keyed by heading. */
export function readRunbook(): Map<string, string> {
  const [, ...sections] = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8').split(/^### /m);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, lines.join('\n')];
    }),
  );
}
