import { AgentActions } from '../actions/agent-actions.js';
import type { Project, Visit } from '../api/client.js';

interface VisitActionsProps {
  project: Project;
  item: Visit;
  timeZone: string;
  isCompact?: boolean;
}

/** Actions for a visit and its visitor. */
export function VisitActions({ project, item, timeZone, isCompact = false }: VisitActionsProps) {
  const { client_address: address, identification } = item;
  const canBlock = !isCompact && address !== null && identification.result === 'verification_failed';
  return (
    <AgentActions
      project={project}
      loadFinding={async () =>
        (await import('../actions/agent-findings.js')).toVisitFinding(item, {
          projectId: project.id,
          timeZone,
          url: getVisitUrl(item.id),
        })
      }
      of={identification.agent_token ?? 'this visitor'}
      isCompact={isCompact}
      {...(canBlock && { canBlock, requests: [{ ...identification, network: address }] })}
    />
  );
}

/** Returns the address of the current list with the visit open. */
function getVisitUrl(id: string): string {
  const url = new URL(location.href);
  url.searchParams.set('visit', id);
  return url.href;
}
