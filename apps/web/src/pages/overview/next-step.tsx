import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { findRuleForAll } from '../../actions/agent-rule.js';
import type { Project } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import type { NewsItem } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';
import { toNewsRequests } from './news-requests.js';
import type { NewsLink } from './news-link.js';

interface NextStepProps {
  project: Project;
  /** Most severe first. */
  problems: readonly NewsItem[];
  toLink: (item: NewsItem) => NewsLink;
  /** Opens the choice of a rule that blocks the item's network. */
  onBlock: (item: NewsItem) => void;
}

/** Link to the most important thing to do: block a network, or look into errors. A blocked network links to its rule. */
export function NextStep({ project, problems, toLink, onBlock }: NextStepProps) {
  const { data: policy } = useQuery(policyQuery(project.id));
  if (policy === undefined) return null;
  const network = problems.find(isAboutNetwork);
  const blocking = network && findRuleForAll(policy.rules, toNewsRequests(network));
  const errors = problems.find((item) => item.kind === 'errors');
  return (
    <>
      {blocking && (
        <>
          {network.network} is{' '}
          <TextLink
            to="/projects/$projectId/policy/rules/$ruleId"
            params={{ projectId: project.id, ruleId: blocking.rule.id }}
            inherit
          >
            {blocking.isLive ? 'blocked' : 'blocked in dry run only'}
          </TextLink>
          .{' '}
        </>
      )}
      {network && !blocking && project.role !== 'viewer' ? (
        <Button size="compact-sm" ml={4} onClick={() => onBlock(network)}>
          Block {network.network}…
        </Button>
      ) : (
        errors && (
          <Button component={Link} {...(toLink(errors) as object)} size="compact-sm" variant="default" ml={4}>
            Check {formatCount(errors.visits)} {errors.status === '5xx' ? 'server' : 'client'}{' '}
            {errors.visits === 1 ? 'error' : 'errors'}
          </Button>
        )
      )}
    </>
  );
}

type NetworkItem = Extract<NewsItem, { kind: 'impersonation' | 'spoofing' }>;

const isAboutNetwork = (item: NewsItem): item is NetworkItem =>
  item.kind === 'impersonation' || (item.kind === 'spoofing' && item.networks === 1);
