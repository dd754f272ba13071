import type { AuditEntry } from '#libs/contracts';
import { localTime, visible } from './terminal-text.js';

const MAX_LENGTH = 60;

export function auditRow({ occurred_at: at, actor, change, subject, before, after }: AuditEntry): string[] {
  const name = subject.name ?? subject.id;
  return [
    localTime(at),
    visible(actor.name ?? actor.type.replaceAll('_', ' ')),
    visible(actor.address ?? '-'),
    visible(`${change} ${subject.type.replaceAll('_', ' ')}${name === null ? '' : ` ${name}`}`),
    visible(differences(before, after)),
  ];
}

function differences(before: AuditEntry['before'], after: AuditEntry['after']): string {
  // The row already names the created or removed subject.
  if (before === null) return '';
  const names = Object.keys({ ...before, ...after });
  if (after === null && names.length > 1) return '';
  return names.map((name) => `${name}: ${short(before[name])} → ${short(after?.[name])}`).join('; ');
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '-');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
