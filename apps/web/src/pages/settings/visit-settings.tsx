import { useQuery } from '@tanstack/react-query';
import type { Project, Versioned } from '../../api/client.js';
import { visitorPathQuery } from '../../api/queries.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import ClientAddress from './client-address.js';
import { RedactedHeaders } from './redacted-headers.js';
import { Retention } from './retention.js';
import { UnknownVisitors } from './unknown-visitors.js';

/** Settings for how visits are recorded. */
export default function VisitSettings({ project, isReader }: { project: Versioned<Project>; isReader: boolean }) {
  const { isPending } = useQuery(visitorPathQuery(project.id));
  // Its proposal would move the page.
  if (isPending) return <CardSkeleton rows={5} />;
  return (
    <>
      <ClientAddress project={project} isReader={isReader} />
      <RedactedHeaders project={project} isReader={isReader} />
      <UnknownVisitors project={project} isReader={isReader} />
      <Retention />
    </>
  );
}
