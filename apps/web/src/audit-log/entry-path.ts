import type { AuditEntry, AuditSubject } from '../api/audit.js';

/** Paths within a project, by subject. `%` is the subject's ID. */
const PROJECT_PATHS: Partial<Record<AuditSubject, string>> = {
  access_token: 'settings?tab=tokens',
  alert: 'alerts',
  alert_channel: 'settings?tab=alerts',
  chart_note: 'overview',
  dismissed_user_agent: 'unlisted',
  drain_settings: 'settings?tab=drains',
  invitation: 'settings?tab=members',
  member: 'settings?tab=members',
  policy_version: 'policy',
  project: 'settings',
  reidentification: 'settings?tab=history',
  report_schedule: 'reports',
  report_subscription: 'reports',
  robots_version: 'compliance?tab=versions&version=%',
  rules_version: 'robots',
  shared_link: 'settings?tab=sharing',
  sitemap: 'coverage',
};

const INSTANCE_PATHS: Partial<Record<AuditSubject, string>> = {
  agent: '/catalog?agent=%',
  agent_feed: '/catalog/feeds',
  api_key: '/system#api-keys',
  mail_server: '/system#email',
  settings: '/system#storage',
  user: '/system#accounts',
};

/**
 * Returns the path of the page that shows the entry's subject, or null if there is none.
 *
 * @param isInstanceLog True for administrators, who can open the instance's pages.
 */
export function getSubjectPath(entry: AuditEntry, isInstanceLog: boolean): string | null {
  const { subject, change, operation, project_id: projectId } = entry;
  if (change === 'removed') return null;
  if (projectId !== null) {
    const path = PROJECT_PATHS[subject.type];
    return path === undefined ? null : `/projects/${projectId}/${path.replace('%', subject.id ?? '')}`;
  }
  if (!isInstanceLog) return null;
  if (operation === 'refreshAddressLists') return '/system#address-lists';
  return INSTANCE_PATHS[subject.type]?.replace('%', encodeURIComponent(subject.name ?? '')) ?? null;
}
