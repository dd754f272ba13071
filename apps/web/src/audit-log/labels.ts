import { ALERT_LABELS } from '../api/constants.js';
import type { AuditChange, AuditEntry, AuditSubject } from '../api/audit.js';

export const SUBJECT_LABELS: Record<AuditSubject, string> = {
  access_token: 'Access token',
  agent: 'Agent',
  agent_feed: 'Agent feed',
  alert: 'Alert',
  alert_channel: 'Alert channel',
  alert_delivery: 'Alert delivery',
  api_key: 'API key',
  assistant: 'Assistant',
  chart_note: 'Chart note',
  dead_letter: 'Dead letter',
  dismissed_user_agent: 'Dismissed user agent',
  drain_settings: 'Log drain settings',
  invitation: 'Invitation',
  login: 'Sign-in method',
  mail_server: 'Mail server',
  member: 'Member',
  passkey: 'Passkey',
  password_reset: 'Password link',
  project: 'Project',
  reidentification: 'Re-identification',
  report_schedule: 'Report schedule',
  report_subscription: 'Report',
  robots_version: 'robots.txt version',
  rules_version: 'Rules version',
  policy_version: 'Policy version',
  sample_visit: 'Sample visit',
  policy_proof: 'Policy test',
  saved_filter: 'Saved filter',
  second_factor: 'Second factor',
  session: 'Session',
  settings: 'Instance settings',
  setup_code: 'Setup code',
  shared_link: 'Shared link',
  sitemap: 'Sitemap',
  statement_key: 'Statement key',
  test_visit: 'Test visit',
  user: 'Account',
  visits: 'Visits',
};

export const CHANGE_LABELS: Record<AuditChange, string> = {
  created: 'Created',
  changed: 'Changed',
  removed: 'Removed',
  revealed: 'Revealed',
  done: 'Done',
};

const ACTOR_LABELS: Record<AuditEntry['actor']['type'], string> = {
  person: 'Person',
  api_key: 'API key',
  visitor: 'Not signed in',
  command_line: 'Command line',
  environment: 'Environment variable',
  service: 'Agent Traffic',
  database: 'Database connection',
};

/** Summaries for operations whose subject would be misleading. */
const OPERATION_SUMMARIES: Record<string, string> = {
  createStatement: 'Statement created',
  exportAuditEntries: 'Audit log exported',
  exportProjectAuditEntries: 'Audit log exported',
  exportVisits: 'Visits exported',
  addReportRecipient: 'Report recipient added',
  refreshAddressLists: 'Address lists updated',
  removeReportRecipient: 'Report recipient removed',
  restoreAlert: 'Alert restored',
};

/** Summaries for entries whose change is `done`, by subject. */
const DONE_SUMMARIES: Partial<Record<AuditSubject, string>> = {
  agent_feed: 'Agent feed fetched or reviewed',
  alert_channel: 'Test sent to alert channel',
  alert_delivery: 'Alert resent',
  login: 'Password, code or passkey rejected',
  mail_server: 'Test email sent',
  robots_version: 'robots.txt fetched',
  report_subscription: 'Report sent',
  sample_visit: 'Sample visit recorded',
  policy_proof: 'Policy tested on the site',
  session: 'Identity confirmed',
  sitemap: 'Sitemaps read or recorded',
  visits: 'Visits deleted',
};

/** Verbs that replace the default label where it would read badly, as in "Member created". */
const CHANGE_VERBS: Partial<Record<AuditChange, Partial<Record<AuditSubject, string>>>> = {
  created: {
    member: 'added',
    passkey: 'added',
    report_subscription: 'turned on',
    robots_version: 'recorded',
    second_factor: 'turned on',
  },
  removed: { report_subscription: 'turned off', second_factor: 'turned off' },
};

/** Returns the subject's name, or null if it's unknown. Alerts are named after their kind. */
export function getSubjectName({ subject, before, after }: AuditEntry): string | null {
  const kind = after?.['kind'] ?? before?.['kind'];
  return subject.name ?? (subject.type === 'alert' ? (ALERT_LABELS[String(kind)] ?? null) : null);
}

/** Returns a summary such as "Access token “Shop” revoked". */
export function summarizeEntry(entry: AuditEntry): string {
  const { operation, change, subject, after } = entry;
  const name = getSubjectName(entry);
  const subjectLabel = `${SUBJECT_LABELS[subject.type]}${name === null ? '' : ` “${name}”`}`;
  const summary = OPERATION_SUMMARIES[operation ?? ''];
  if (summary !== undefined) return summary;
  if (change === 'done') return DONE_SUMMARIES[subject.type] ?? subjectLabel;
  if (subject.type === 'session') return change === 'created' ? 'Signed in' : 'Session ended';
  const isRevoked = change === 'changed' && typeof after?.['revoked_at'] === 'string';
  const verb = CHANGE_VERBS[change]?.[subject.type] ?? CHANGE_LABELS[change].toLowerCase();
  return `${subjectLabel} ${isRevoked ? 'revoked' : verb}`;
}

/** Returns the actor's name, or its type if it has no name. */
export const getActorName = ({ actor }: AuditEntry): string =>
  actor.type === 'service' ? ACTOR_LABELS.service : (actor.name ?? ACTOR_LABELS[actor.type]);

/** Returns the actor's type, and whether an API key was used on the command line. */
export function getActorType({ actor: { type, via } }: AuditEntry): string {
  return type === 'api_key' && via === 'command_line' ? 'API key (command line)' : ACTOR_LABELS[type];
}
