import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { findRuleForAll } from '../../actions/agent-rule.js';
import type { Project } from '../../api/client.js';
import { policyQuery } from '../../api/policy.js';
import type { News, NewsItem } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './whats-new.module.css';
import { toNewsRequests } from './news-requests.js';
import type { NewsLink } from './news-link.js';

const Dropdown = lazy(() => import('../../ui/dropdown.js').then((module) => ({ default: module.Dropdown })));
const RuleChoice = lazy(() =>
  import('../../actions/rule-choice.js').then((module) => ({ default: module.RuleChoice })),
);

interface NextStepProps {
  project: Project;
  /** Most severe first. */
  problems: readonly NewsItem[];
  toLink: (item: NewsItem) => NewsLink;
  getContext: (item: NewsItem) => { news: News };
  /** Network that the sentence before is about, or null. */
  subject: string | null;
}

/** Link to the most important thing to do: block a network, or look into errors. A blocked network links to its rule. */
export function NextStep({ project, problems, toLink, getContext, subject }: NextStepProps) {
  const { data: policy } = useQuery(policyQuery(project.id));
  const [isBlockOpen, setBlockOpen] = useState(false);
  if (policy === undefined) return null;
  const networks = problems
    .filter(isAboutNetwork)
    .map((item) => ({ item, blocking: findRuleForAll(policy.rules, toNewsRequests(item)) }));
  const named = networks.find(({ item }) => item.network === subject) ?? networks[0];
  const open = networks.find(({ blocking }) => blocking === null)?.item;
  const errors = problems.find((item) => item.kind === 'errors');
  return (
    <>
      {named?.blocking && (
        <>
          {named.item.network === subject ? 'It' : named.item.network}
          {named.blocking.isLive ? ' is now ' : ' isn’t blocked yet: '}
          <TextLink
            to="/projects/$projectId/policy/rules/$ruleId"
            params={{ projectId: project.id, ruleId: named.blocking.rule.id }}
            inherit
          >
            {named.blocking.isLive ? 'blocked' : 'the rule'}
          </TextLink>
          {named.blocking.isLive ? '. ' : ' is in a dry run. '}
        </>
      )}
      {open !== undefined && project.role !== 'viewer' ? (
        <span className={classes['anchor']}>
          <Button size="compact-sm" ml={4} aria-haspopup="dialog" onClick={() => setBlockOpen(!isBlockOpen)}>
            Block {open.network}…
          </Button>
          <Suspense>
            {isBlockOpen && (
              <Dropdown label={`Add a rule for ${open.network}`} width={300} onClose={() => setBlockOpen(false)}>
                <RuleChoice
                  project={project}
                  kind="refuse"
                  target={{ network: open.network }}
                  finding={{ range: getContext(open).news }}
                  onDone={() => setBlockOpen(false)}
                />
              </Dropdown>
            )}
          </Suspense>
        </span>
      ) : (
        errors && (
          <Button component={Link} {...(toLink(errors) as object)} size="compact-sm" variant="default" ml={4}>
            Check {formatCount(errors.period?.visits ?? errors.visits)} {errors.status === '5xx' ? 'server' : 'client'}{' '}
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
