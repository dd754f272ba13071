import { getRouteApi } from '@tanstack/react-router';
import { Section } from '../../ui/section.js';
import { AuditLog } from '../../audit-log/audit-log.js';
import type { AuditSearch } from '../../audit-log/search.js';

const route = getRouteApi('/app/projects/$projectId/settings');

export interface AuditTabProps {
  projectId: string;
  timeZone: string;
  isOwner: boolean;
  search: AuditSearch;
}

export default function AuditTab({ projectId, timeZone, isOwner, search }: AuditTabProps) {
  const navigate = route.useNavigate();
  return (
    <Section
      title="Audit log"
      lead={
        isOwner
          ? 'Shows who changed this project or viewed its tokens. Entries can’t be changed or removed.'
          : 'Only project owners can see who changed this project or viewed its tokens.'
      }
    >
      {isOwner && (
        <AuditLog
          projectId={projectId}
          timeZone={timeZone}
          search={search}
          onSearch={(next) => void navigate({ search: { tab: 'audit', ...next }, resetScroll: false })}
        />
      )}
    </Section>
  );
}
