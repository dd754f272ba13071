import type { AuditChange, AuditEntry, AuditSubject } from '../api/audit.js';

export const SUBJECTS: Record<AuditSubject, string> = {
  access_token: 'Access token',
  agent: 'Agent',
  agent_feed: 'Agent feed',
  alert: 'Alert',
  alert_channel: 'Alert channel',
  alert_delivery: 'Sent alert',
  api_key: 'API key',
  assistant: 'Assistant',
  chart_note: 'Chart note',
  dead_letter: 'Dead letter',
  dismissed_user_agent: 'Dismissed user agent',
  drain_settings: 'Log drain settings',
  invitation: 'Invitation',
  login: 'Sign-in method',
  member: 'Member',
  passkey: 'Passkey',
  password_reset: 'Password link',
  project: 'Project',
  reidentification: 'Re-identification',
  report_subscription: 'Weekly report',
  robots_version: 'Served robots.txt',
  rules_version: 'Rules version',
  sample_visit: 'Sample visit',
  saved_filter: 'Saved filter',
  second_factor: 'Second factor',
  session: 'Session',
  settings: 'Instance settings',
  setup_code: 'Setup code',
  shared_link: 'Shared link',
  test_visit: 'Test visit',
  user: 'Account',
  visits: 'Visits',
};

export const CHANGES: Record<AuditChange, string> = {
  created: 'Created',
  changed: 'Changed',
  removed: 'Removed',
  revealed: 'Revealed',
  done: 'Done',
};

const ACTORS: Record<AuditEntry['actor']['type'], string> = {
  person: 'Person',
  api_key: 'API key',
  visitor: 'Not signed in',
  command_line: 'Command line',
  environment: 'Configuration',
  service: 'Agent Traffic',
  database: 'Database connection',
};

/** Summaries of entries with `change: done`, by subject. */
const DONE: Partial<Record<AuditSubject, string>> = {
  agent_feed: 'Agent feed read or decided on',
  alert_channel: 'Test sent to an alert channel',
  alert_delivery: 'Alert sent again',
  robots_version: 'robots.txt fetched',
  sample_visit: 'Sample visit recorded',
  session: 'Identity confirmed',
  visits: 'Visits deleted',
};

/** Verbs that read better than the default from `CHANGES`. */
const VERBS: Partial<Record<AuditChange, Partial<Record<AuditSubject, string>>>> = {
  created: {
    member: 'added',
    passkey: 'added',
    report_subscription: 'turned on',
    robots_version: 'recorded',
    second_factor: 'turned on',
  },
  removed: { report_subscription: 'turned off', second_factor: 'turned off' },
};

/** Returns a summary such as "Access token revoked". */
export function whatHappened({ change, subject, after }: AuditEntry): string {
  const what = SUBJECTS[subject.type];
  if (change === 'done') return DONE[subject.type] ?? what;
  if (subject.type === 'session') return change === 'created' ? 'Signed in' : 'Session ended';
  const isRevoked = change === 'changed' && typeof after?.['revoked_at'] === 'string';
  const verb = VERBS[change]?.[subject.type] ?? CHANGES[change].toLowerCase();
  return `${what} ${isRevoked ? 'revoked' : verb}`;
}

/** Returns the actor's name, or the type of actor if it has no name. */
export const whoDidIt = ({ actor }: AuditEntry): string =>
  actor.type === 'service' ? ACTORS.service : (actor.name ?? ACTORS[actor.type]);

/** Returns the type of actor. For API keys, mentions use on the command line. */
export function kindOfActor({ actor: { type, via } }: AuditEntry): string {
  return type === 'api_key' && via === 'command_line' ? 'API key, from the command line' : ACTORS[type];
}
