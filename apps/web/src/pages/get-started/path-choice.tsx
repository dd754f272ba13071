import { NativeSelect, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project, Versioned } from '../../api/client.js';
import { useUpdateProject } from '../../api/update-project.js';
import { visitorPathQuery } from '../../api/queries.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { OTHER, pathChoice, pathOptions, toTrustedProxies } from '../../visitor-path/path-options.js';
import { PathProposal } from '../../visitor-path/path-proposal.js';

export function PathChoice({ project }: { project: Versioned<Project> }) {
  const isReader = project.role === 'viewer';
  const { data: path } = useQuery(visitorPathQuery(project.id));
  const queryClient = useQueryClient();
  const change = useUpdateProject(project.id);
  const saving = useMutation({
    mutationFn: (choice: string) =>
      change({ trusted_proxies: toTrustedProxies(choice, project.trusted_proxies) }, project.etag),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: visitorPathQuery(project.id).queryKey }),
  });
  return (
    <Section
      id="visitor-path"
      title="How visitors reach the site"
      lead="Anyone can send a header with a fake address. Once you set this, address headers are only trusted from the proxies you select."
    >
      <NativeSelect
        label="Visitors connect"
        maw={420}
        disabled={isReader || saving.isPending}
        value={pathChoice(project.trusted_proxies)}
        onChange={({ currentTarget: { value } }) => value !== OTHER && saving.mutate(value)}
        data={pathOptions(path?.networks ?? [], project.trusted_proxies)}
      />
      {saving.isError && <Failure error={saving.error} />}
      <PathProposal project={project} isReader={isReader} />
      <Text size="sm" c="dimmed">
        For several networks, proxies with public addresses, or a different header, use{' '}
        <TextLink
          to="/projects/$projectId/settings"
          params={{ projectId: project.id }}
          search={{ tab: 'visits' }}
          size="sm"
        >
          Settings
        </TextLink>
        .
      </Text>
    </Section>
  );
}
