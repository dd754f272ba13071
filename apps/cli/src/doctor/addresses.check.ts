import { CLIENT_ADDRESS_NOTES } from '#libs/agents/vocabulary';
import type { VisitorPath } from '#libs/contracts';
import { escapeInvisible } from '../terminal-text.js';
import { ok, warning, type Finding } from './finding.js';

export interface PathReport {
  name: string;
  path: Pick<VisitorPath, 'is_stated' | 'unconfirmed_visits' | 'proposal'>;
}

const SUBJECT = 'client addresses';

/** Warns about projects that verify agents by client addresses from forgeable headers. */
export function checkAddresses(reports: readonly PathReport[]): Finding[] {
  const findings = reports
    .filter(({ path }) => !path.is_stated && path.unconfirmed_visits > 0)
    .map(({ name, path: { proposal } }) =>
      warning(
        SUBJECT,
        `project "${escapeInvisible(name)}": ${CLIENT_ADDRESS_NOTES.unconfirmed_header}`,
        `Set how visitors reach the site on the project's Get started page${proposal === null ? '' : ` (suggested value: ${JSON.stringify(proposal.trusted_proxies)})`}. Until then, don't rely on verification to allow agents.`,
      ),
    );
  return findings.length > 0 ? findings : [ok(SUBJECT, 'no project takes them from forgeable headers')];
}
