import type { ReactNode } from 'react';
import { AgentActions } from '../actions/agent-actions.js';
import type { BlockingRule } from '../actions/agent-rule.js';
import type { Project, Visit } from '../api/client.js';

interface VisitActionsProps {
  project: Project;
  item: Visit;
  timeZone: string;
  isCompact?: boolean;
  /** Network to block instead of the visit's address, if the network claims to be several agents. */
  network?: string | undefined;
  /** Returns the text about a rule that now blocks the visitor. */
  ruleState?: (blocking: BlockingRule) => ReactNode;
}

/** Actions for a visit and its visitor. */
export function VisitActions({ project, item, timeZone, isCompact = false, network, ruleState }: VisitActionsProps) {
  const { client_address: address, identification } = item;
  const blocked = network ?? (identification.result === 'verification_failed' ? address : null);
  return (
    <AgentActions
      project={project}
      loadFinding={async () => {
        const { toVisitFinding } = await import('../actions/agent-findings.js');
        const finding = toVisitFinding(item, { projectId: project.id, timeZone, url: getVisitUrl(item.id) });
        return network === undefined ? finding : { ...finding, network };
      }}
      of={identification.agent_token ?? 'this visitor'}
      isCompact={isCompact}
      network={network}
      ruleState={ruleState}
      {...(!isCompact &&
        blocked !== null && { canBlock: true, isPrimary: true, requests: [{ ...identification, network: blocked }] })}
    />
  );
}

/** Returns the address of the current list with the visit open. */
function getVisitUrl(id: string): string {
  const url = new URL(location.href);
  url.searchParams.set('visit', id);
  return url.href;
}
