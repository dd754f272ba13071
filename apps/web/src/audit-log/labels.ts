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
  dead_letter: 'Failed visit',
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
  rules_version: 'robots.txt rules',
  policy_version: 'Policy',
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

/** Actions by operation, if the subject would be misleading. */
const OPERATION_ACTIONS: Record<string, string> = {
  createStatement: 'Created statement',
  exportAuditEntries: 'Exported audit log',
  exportProjectAuditEntries: 'Exported audit log',
  exportVisits: 'Exported visits',
  addReportRecipient: 'Added report recipient',
  refreshAddressLists: 'Updated address lists',
  removeReportRecipient: 'Removed report recipient',
  restoreAlert: 'Restored alert',
};

/** Actions of entries whose change is `done`, by subject. */
const DONE_ACTIONS: Partial<Record<AuditSubject, string>> = {
  agent_feed: 'Fetched or reviewed agent feed',
  alert_channel: 'Sent test to alert channel',
  alert_delivery: 'Resent alert',
  dead_letter: 'Replayed failed visits',
  login: 'Entered a wrong password, code or passkey',
  mail_server: 'Sent test email',
  robots_version: 'Fetched robots.txt',
  report_subscription: 'Sent report',
  sample_visit: 'Sent sample visit',
  policy_proof: 'Tested policy on the site',
  session: 'Confirmed identity',
  sitemap: 'Read or recorded sitemaps',
  visits: 'Deleted visits',
};

/** Actions that the change and the subject don't describe well. */
const ACTIONS: Partial<Record<AuditChange, Partial<Record<AuditSubject, string>>>> = {
  created: {
    dismissed_user_agent: 'Dismissed user agent',
    login: 'Added sign-in for',
    member: 'Added member',
    passkey: 'Added passkey',
    policy_version: 'Published policy',
    report_subscription: 'Turned on report',
    robots_version: 'Recorded robots.txt of',
    rules_version: 'Saved robots.txt rules',
    second_factor: 'Turned on second factor',
    session: 'Signed in',
  },
  removed: {
    dismissed_user_agent: 'Restored user agent',
    login: 'Removed sign-in for',
    report_subscription: 'Turned off report',
    second_factor: 'Turned off second factor',
    session: 'Ended session',
  },
};

/** Returns the subject's name, or null if it's unknown. Alerts are named after their kind. */
export function getSubjectName({ subject, before, after }: AuditEntry): string | null {
  const kind = after?.['kind'] ?? before?.['kind'];
  return subject.name ?? (subject.type === 'alert' ? (ALERT_LABELS[String(kind)] ?? null) : null);
}

/** Action that follows the actor's name, and the name of its subject. */
interface EntryParts {
  action: string;
  name: string | null;
}

/** Returns parts such as "Revoked access token" and "Shop". */
export function describeEntry(entry: AuditEntry): EntryParts {
  const { operation, change, subject, after } = entry;
  const name = getSubjectName(entry);
  const operationAction = OPERATION_ACTIONS[operation ?? ''];
  if (operationAction !== undefined) return { action: operationAction, name: null };
  if (change === 'done') return { action: DONE_ACTIONS[subject.type] ?? SUBJECT_LABELS[subject.type], name: null };
  const action = ACTIONS[change]?.[subject.type];
  // A session's name repeats the actor.
  if (action !== undefined) {
    const isNamed = name !== null && subject.type !== 'session';
    return { action: isNamed ? action : action.replace(/ (?:of|for)$/, ''), name: isNamed ? name : null };
  }
  const isRevoked = change === 'changed' && typeof after?.['revoked_at'] === 'string';
  return {
    action: `${isRevoked ? 'Revoked' : CHANGE_LABELS[change]} ${toSentenceCase(SUBJECT_LABELS[subject.type])}`,
    name,
  };
}

const MAX_CHANGED_FIELDS = 3;

/** Returns the changed fields, such as "name, time zone, and 2 more". Null if the action already describes the change. */
export function describeChangedFields({ change, before, after }: AuditEntry): string | null {
  if (change !== 'changed') return null;
  if (typeof after?.['revoked_at'] === 'string') return null;
  const fields = Object.keys({ ...before, ...after }).map((field) => field.replaceAll('_', ' '));
  if (fields.length === 0) return null;
  const rest = fields.length - MAX_CHANGED_FIELDS;
  // A single name takes no more space than "1 more".
  return rest <= 1 ? fields.join(', ') : `${fields.slice(0, MAX_CHANGED_FIELDS).join(', ')}, and ${rest} more`;
}

/** Splits an action such as "Turned on report" into its verb and its object. */
export function splitAction(action: string): [verb: string, object: string] {
  const [verb = action] = /^(?:Turned (?:on|off)|\w+)/.exec(action) ?? [];
  return [verb, action.slice(verb.length).trim()];
}

/** Returns a summary such as "Revoked access token “Shop”". */
export function summarizeEntry(entry: AuditEntry): string {
  const { action, name } = describeEntry(entry);
  return name === null ? action : `${action} “${name}”`;
}

/** Returns a label as it's written within a sentence. */
const toSentenceCase = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

/** Returns the actor's name, or its type if it has no name. */
export const getActorName = ({ actor }: AuditEntry): string =>
  actor.type === 'service' ? ACTOR_LABELS.service : (actor.name ?? ACTOR_LABELS[actor.type]);

/** Returns the actor's type, and whether an API key was used on the command line. */
export function getActorType({ actor: { type, via } }: AuditEntry): string {
  return type === 'api_key' && via === 'command_line' ? 'API key (command line)' : ACTOR_LABELS[type];
}
