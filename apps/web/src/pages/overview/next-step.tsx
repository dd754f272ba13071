import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { findRuleForAll } from '../../actions/agent-rule.js';
import type { Project } from '../../api/client.js';
import { policyQuery, type CurrentPolicy } from '../../api/policy.js';
import type { News, NewsItem } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './whats-new.module.css';
import { toNewsRequests } from './news-requests.js';
import { listAgentNames } from './news-text.js';
import type { NewsLink } from './news-link.js';

const Dropdown = lazy(() => import('../../ui/dropdown.js').then((module) => ({ default: module.Dropdown })));
const RuleChoice = lazy(() =>
  import('../../actions/rule-choice.js').then((module) => ({ default: module.RuleChoice })),
);

/** Returns the problem that the answer on top of the page has a button for: a network to block, or else errors. */
export function findNextProblem(
  problems: readonly NewsItem[],
  { rules }: CurrentPolicy,
  isViewer: boolean,
): NewsItem | undefined {
  const open = problems.find((item) => isAboutNetwork(item) && findRuleForAll(rules, toNewsRequests(item)) === null);
  return (isViewer ? undefined : open) ?? problems.find((item) => item.kind === 'errors');
}

interface NextStepProps {
  project: Project;
  /** Most severe first. */
  problems: readonly NewsItem[];
  toLink: (item: NewsItem) => NewsLink;
  getContext: (item: NewsItem) => { news: News };
  isRecent: (item: NewsItem) => boolean;
  /** Network that the sentence before is about, or null. */
  subject: string | null;
}

/** Button for the most important thing to do: block a network, or look into errors. A blocked network links to the proof. */
export function NextStep({ project, problems, toLink, getContext, isRecent, subject }: NextStepProps) {
  const { data: policy } = useQuery(policyQuery(project.id));
  const [isBlockOpen, setBlockOpen] = useState(false);
  if (policy === undefined) return null;
  const networks = problems
    .filter(isAboutNetwork)
    .map((item) => ({ item, blocking: findRuleForAll(policy.rules, toNewsRequests(item)) }));
  const named = networks.find(({ item }) => item.network === subject) ?? networks[0];
  const next = findNextProblem(problems, policy, project.role === 'viewer');
  return (
    <>
      {named?.blocking && (
        <>
          {named.item.network === subject ? 'It' : named.item.network}
          {named.blocking.isLive ? (
            <>
              {named.item.network === subject ? '’s ' : ' is '}
              <TextLink
                to="/projects/$projectId/policy"
                params={{ projectId: project.id }}
                search={{ view: 'proof' } as never}
                inherit
              >
                blocked
              </TextLink>
              {' now. '}
            </>
          ) : (
            <>
              {' isn’t blocked yet: '}
              <TextLink
                to="/projects/$projectId/policy/rules/$ruleId"
                params={{ projectId: project.id, ruleId: named.blocking.rule.id }}
                inherit
              >
                the rule
              </TextLink>
              {' is in a dry run. '}
            </>
          )}
        </>
      )}
      {next !== undefined && isAboutNetwork(next) && next.network !== subject && (
        <>
          <TextLink {...toLink(next)} inherit>
            {next.network}
          </TextLink>{' '}
          posed as {listAgentNames(next.kind === 'impersonation' ? next.agents : [next])}
          {isRecent(next) && ' in the last 24 hours'}.{' '}
        </>
      )}
      {next !== undefined &&
        (isAboutNetwork(next) ? (
          <span className={classes['anchor']}>
            <Button size="compact-sm" aria-haspopup="dialog" onClick={() => setBlockOpen(!isBlockOpen)}>
              Block {next.network}…
            </Button>
            <Suspense>
              {isBlockOpen && (
                <Dropdown label={`Add a rule for ${next.network}`} width={300} onClose={() => setBlockOpen(false)}>
                  <RuleChoice
                    project={project}
                    kind="refuse"
                    target={{ network: next.network }}
                    finding={{ range: getContext(next).news }}
                    onDone={() => setBlockOpen(false)}
                  />
                </Dropdown>
              )}
            </Suspense>
          </span>
        ) : (
          next.kind === 'errors' && (
            <Button component={Link} {...(toLink(next) as object)} size="compact-sm" variant="default">
              Check {formatCount(next.period?.visits ?? next.visits)} {next.status === '5xx' ? 'server' : 'client'}{' '}
              {(next.period?.visits ?? next.visits) === 1 ? 'error' : 'errors'}
            </Button>
          )
        ))}
    </>
  );
}

type NetworkItem = Extract<NewsItem, { kind: 'impersonation' | 'spoofing' }>;

const isAboutNetwork = (item: NewsItem): item is NetworkItem =>
  item.kind === 'impersonation' || (item.kind === 'spoofing' && item.networks === 1);
