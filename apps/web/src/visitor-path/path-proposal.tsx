import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project, Versioned } from '../api/client.js';
import { useUpdateProject } from '../api/update-project.js';
import { visitorPathQuery } from '../api/queries.js';
import { formatCount } from '../format/count.js';
import { Failure } from '../ui/failure.js';
import { describePath } from './path-options.js';

/** Proposes a visitor path setting based on recent visits, with a button to accept it. */
export function PathProposal({ project, isReader }: { project: Versioned<Project>; isReader: boolean }) {
  const { data: path } = useQuery(visitorPathQuery(project.id));
  const queryClient = useQueryClient();
  const change = useUpdateProject(project.id);
  const acceptance = useMutation({
    mutationFn: (setting: Project['trusted_proxies']) => change({ trusted_proxies: setting }, project.etag),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: visitorPathQuery(project.id).queryKey }),
  });
  if (path === undefined || path.proposal === null) return null;
  const { trusted_proxies: proposal, visits } = path.proposal;
  return (
    <Alert variant="outline" title={`Visitors seem to come ${describePath(proposal)}`} role="status">
      <Text size="sm">
        {visits === path.visits ? 'All' : formatCount(visits)} of the last {formatCount(path.visits)} visits did. With
        this setting, headers from other sources are ignored, so nobody can use them to forge an address.
        {proposal.mode === 'none' &&
          ' Only proxies in front of the server that asks Agent Traffic for decisions count.'}
      </Text>
      {isReader ? (
        <Text size="sm" c="dimmed">
          Ask a project member to change this setting.
        </Text>
      ) : (
        <Button mt="xs" size="xs" loading={acceptance.isPending} onClick={() => acceptance.mutate(proposal)}>
          Use this setting
        </Button>
      )}
      {acceptance.isError && <Failure error={acceptance.error} />}
    </Alert>
  );
}
