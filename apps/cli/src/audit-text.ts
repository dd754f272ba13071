import type { AuditEntry } from '#libs/contracts';
import { localTime, escapeInvisible } from './terminal-text.js';

const MAX_LENGTH = 60;

export function auditRow(entry: AuditEntry): string[] {
  const { occurred_at: at, actor, operation, change, subject, before, after } = entry;
  const name = subject.name ?? subject.id;
  return [
    localTime(at),
    escapeInvisible(actor.name ?? actor.type.replaceAll('_', ' ')),
    escapeInvisible(actor.address ?? '-'),
    escapeInvisible(`${change} ${subject.type.replaceAll('_', ' ')}${name === null ? '' : ` ${name}`}`),
    escapeInvisible(change === 'done' ? formatAction(operation, after) : formatChanges(before, after)),
  ];
}

function formatAction(operation: string | null, after: AuditEntry['after']): string {
  const parameters = Object.entries(after ?? {}).map(([name, value]) => `${name}: ${formatValue(value)}`);
  return [...(operation === null ? [] : [operation]), ...parameters].join('; ');
}

function formatChanges(before: AuditEntry['before'], after: AuditEntry['after']): string {
  // If there are no earlier values, the subject was just created. The row already names it, so don't list its values.
  if (before === null) return '';
  const names = Object.keys({ ...before, ...after });
  if (after === null && names.length > 1) return '';
  return names.map((name) => `${name}: ${formatValue(before[name])} → ${formatValue(after?.[name])}`).join('; ');
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '-');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
