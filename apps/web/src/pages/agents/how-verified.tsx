import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getAgentMethods, NO_METHOD } from '#libs/agents/vocabulary';
import { agentQuery, type Agent } from '../../api/catalog-queries.js';
import { formatCount } from '../../format/count.js';
import { Failure } from '../../ui/failure.js';
import { DescriptionList } from '../../ui/description-list.js';

export function HowVerified({ agentId }: { agentId: string }) {
  const { data: agent, error, refetch } = useQuery(agentQuery(agentId));
  return (
    <>
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {agent === undefined && error === null && <Skeleton h={60} animate={false} />}
      {agent !== undefined && <Methods agent={agent} />}
    </>
  );
}

function Methods({ agent }: { agent: Agent }) {
  const { signature_agents, ip_list_urls, ip_ranges, reverse_dns_suffixes } = agent.verification;
  return (
    <>
      {getAgentMethods(agent.verification).length === 0 && (
        <Text size="sm">{NO_METHOD} Its visits never pass or fail verification.</Text>
      )}
      <DescriptionList
        facts={[
          ['Signature', signature_agents?.join(', ')],
          [
            'Published addresses',
            ip_list_urls?.length
              ? ip_list_urls.map(({ url }) => (
                  <div key={url}>
                    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
                      {url}
                    </Anchor>
                  </div>
                ))
              : null,
          ],
          ['Known ranges', ip_ranges?.length ? formatCount(ip_ranges.length) : null],
          ['Reverse DNS', reverse_dns_suffixes?.join(', ')],
          ['In robots.txt', agent.robots_token],
        ]}
      />
    </>
  );
}
