import { Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isSameContent } from '../../api/is-same-content.js';
import { renderedRulesQuery, rulesVersionQuery, rulesVersionsQuery } from '../../api/rules-queries.js';
import { ChangedLines } from '../../rules/changed-lines.js';
import { diffRules, summarizeChange, type RulesChange } from '../../rules/rules-change.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { DAYS, useRecentAgents } from '../../rules/recent-agents.js';
import { listNames } from '../../rules/rule-text.js';
import { Failure } from '../../ui/failure.js';
import { TextLink } from '../../ui/text-link.js';
import { isAsked, type SitePolicy } from '../../rules/controls.js';
import classes from './policy.module.css';
import { countVisits } from './policy-rows.js';
import { ReviewForecast } from './review-forecast.js';
import { compareRules, describeSplits, isReordered } from '../../rules/rule-changes.js';

/** More changed lines are collapsed. */
const MAX_OPEN_LINES = 12;
const SEARCH_ENGINES = 'Search Engine Crawler';

interface PublishReviewProps {
  projectId: string;
  before: SitePolicy;
  after: SitePolicy;
  /** True if some changes can start in dry run. */
  hasDryRun: boolean;
}

/** Shows the changes to rules and robots.txt before they are published. */
export default function PublishReview({ projectId, before, after, hasDryRun }: PublishReviewProps) {
  const changes = compareRules(before, after);
  const isAskingSearchEngines = isAsked(after.selection, SEARCH_ENGINES) && !isAsked(before.selection, SEARCH_ENGINES);
  return (
    <Stack gap="sm" mb="sm" className={classes['review'] ?? ''}>
      <Title order={2}>Publish</Title>
      {hasDryRun && (
        <Text size="sm" c="dimmed">
          A dry run only counts new limits, prices and blocks, and doesn’t change robots.txt for these agents.
        </Text>
      )}
      {!isSameContent(before.rules, after.rules) && (
        <ReviewForecast projectId={projectId} before={before.rules} after={after.rules} />
      )}
      {isAskingSearchEngines && <SearchEngineWarning projectId={projectId} />}
      <div>
        <Title order={3}>Rules</Title>
        {changes.length === 0 && !isReordered(before.rules, after.rules) && (
          <Text size="sm" c="dimmed">
            No changes.
          </Text>
        )}
        {describeSplits(before.rules, after.rules).map((text) => (
          <Text key={text} size="sm" mb={6}>
            {text}
          </Text>
        ))}
        <ul className={classes['diff']} aria-label="Changed rules">
          {changes.map(({ id, before: old, after: current }) => (
            <li key={id}>
              {old.length > 0 && <del>{old.map((line) => `- ${line}`).join('\n')}</del>}
              {current.length > 0 && <ins>{current.map((line) => `+ ${line}`).join('\n')}</ins>}
            </li>
          ))}
        </ul>
        {isReordered(before.rules, after.rules) && (
          <Text size="sm">New order: {after.rules.map(({ name }) => name).join(', ')}</Text>
        )}
      </div>
      <div>
        <Title order={3}>robots.txt</Title>
        {isSameContent(before.selection, after.selection) ? (
          <Text size="sm" c="dimmed">
            No changes.
          </Text>
        ) : (
          <RobotsChange projectId={projectId} after={after} />
        )}
      </div>
    </Stack>
  );
}

/** Warns that search engines are about to be told to leave. */
function SearchEngineWarning({ projectId }: { projectId: string }) {
  const { query } = useRecentAgents(projectId);
  const crawlers = (query.data?.agents ?? [])
    .filter((agent) => agent.agent_type_name === SEARCH_ENGINES && countVisits(agent) > 0)
    .toSorted((one, other) => countVisits(other) - countVisits(one));
  const visits = crawlers.reduce((sum, agent) => sum + countVisits(agent), 0);
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="note">
      Search engines are asked not to visit, so your pages may disappear from search results.
      {visits > 0 &&
        ` ${listNames(crawlers.map(({ agent_token: token }) => token ?? 'Deleted agent'))} made ${formatVisitCount(visits)} in the last ${DAYS} days.`}
    </Text>
  );
}

const countLines = ({ added, removed, changed }: RulesChange): number =>
  [...added, ...removed, ...changed].reduce((sum, { before, now }) => sum + before.length + now.length, 0);

function RobotsChange({ projectId, after }: Pick<PublishReviewProps, 'projectId' | 'after'>) {
  const versions = useQuery(rulesVersionsQuery(projectId));
  const newest = versions.data?.[0];
  const saved = useQuery({ ...rulesVersionQuery(projectId, newest?.id ?? ''), enabled: newest !== undefined });
  const rendered = useQuery(renderedRulesQuery(projectId, after.selection));
  const isComparable = newest === undefined || newest.selection.format === after.selection.format;
  const oldText = newest === undefined || !isComparable ? '' : saved.data?.text;
  const change = useMemo(
    () =>
      rendered.data === undefined || rendered.isPlaceholderData || oldText === undefined
        ? null
        : diffRules(oldText, rendered.data.text, after.selection.format),
    [rendered.data, rendered.isPlaceholderData, oldText, after.selection.format],
  );
  if (rendered.isError) return <Failure error={rendered.error} title="Couldn't render robots.txt" />;
  if (change === null) return <Loader size="sm" role="status" aria-label="Rendering robots.txt" />;
  return (
    <Stack gap={6}>
      <Text size="sm">
        {summarizeChange(change) || 'No changes to the text'}.
        {!isComparable && ' The saved version has a server format, which robots.txt replaces.'} Your site serves the new
        text after you{' '}
        <TextLink to="/projects/$projectId/robots" params={{ projectId }}>
          copy or download it
        </TextLink>
        , or once your scheduled command runs.
      </Text>
      {countLines(change) > MAX_OPEN_LINES ? (
        <details>
          <Text component="summary" size="sm">
            Show the {formatCount(countLines(change))} changed lines
          </Text>
          <ChangedLines change={change} />
        </details>
      ) : (
        <ChangedLines change={change} />
      )}
    </Stack>
  );
}
