import { Alert, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project, Versioned } from '../api/client.js';
import { useProjectChange } from '../api/project-change.js';
import { visitorPathQuery } from '../api/queries.js';
import { countText } from '../format/count.js';
import { Failure } from '../ui/failure.js';
import { pathText } from './path-options.js';

/** Proposes a setting based on recent visits, with a button to accept it. */
export function PathProposal({ project, isReader }: { project: Versioned<Project>; isReader: boolean }) {
  const { data: path } = useQuery(visitorPathQuery(project.id));
  const queryClient = useQueryClient();
  const change = useProjectChange(project.id);
  const accepting = useMutation({
    mutationFn: (setting: Project['trusted_proxies']) => change({ trusted_proxies: setting }, project.etag),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: visitorPathQuery(project.id).queryKey }),
  });
  if (path === undefined || path.proposal === null) return null;
  const { trusted_proxies: proposed, visits } = path.proposal;
  return (
    <Alert variant="outline" title={`Visitors seem to come ${pathText(proposed)}`} role="status">
      <Text size="sm">
        {countText(visits)} of the newest {countText(path.visits)} visits did. With this setting, headers from anywhere
        else are ignored, so nobody can forge an address with them.
      </Text>
      {isReader ? (
        <Text size="sm" c="dimmed">
          Ask a project member to change this setting.
        </Text>
      ) : (
        <Button mt="xs" size="xs" loading={accepting.isPending} onClick={() => accepting.mutate(proposed)}>
          Use this setting
        </Button>
      )}
      {accepting.isError && <Failure error={accepting.error} />}
    </Alert>
  );
}
