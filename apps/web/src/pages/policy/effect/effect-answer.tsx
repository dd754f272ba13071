import { Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { Project } from '../../../api/client.js';
import type { PaymentsReport } from '../../../api/payments.js';
import type { PolicyEffect } from '../../../api/policy-effect.js';
import { formatBytes } from '../../../format/bytes.js';
import { formatPercent } from '../../../format/change.js';
import { formatCount } from '../../../format/count.js';
import { formatDuration } from '../../../format/duration.js';
import { Answer } from '../../../ui/answer.js';
import { Columns } from '../../../ui/columns.js';
import { Figure } from '../../../ui/figure.js';
import { PaymentFigures } from '../../../payments/figures.js';
import { describeReactions } from '../../../payments/payment-counts.js';
import { formatFullTime } from '../../../ui/relative-time.js';
import { TextLink } from '../../../ui/text-link.js';
import { OUTCOME_LABELS, OUTCOMES } from '../../../rules/rule-text.js';
import classes from './effect.module.css';
import { countActed, countChecked, describeOutcomes, getShownMode, outcomeLink } from '../../../rules/outcomes.js';
import { countVerified, type RuleEffect } from '../../../rules/rule-effect.js';

const ACTED = OUTCOMES.filter((outcome) => outcome !== 'allowed');

type RowLink = ComponentProps<typeof Figure>['link'];

interface EffectAnswerProps {
  project: Project;
  effect: PolicyEffect;
  /** Reactions to a rule that charges. */
  payments: PaymentsReport | null;
  /** Replay of the same days: null if there's none, undefined while it loads. */
  replayed: RuleEffect | null | undefined;
  /** Difference between the recorded and the replayed requests, or null. */
  difference: string | null;
  days: number;
}

/** Sentence and figures at the top of a rule's page. */
export function EffectAnswer({ project, effect, payments, replayed, difference, days }: EffectAnswerProps) {
  const { came_back: cameBack, agents, people, saved_bytes: bytes, saved_milliseconds: time } = effect;
  const mode = getShownMode(effect);
  const counts = effect[mode];
  const [acted, checked] = [countActed(counts), countChecked(counts)];
  const isPart = acted !== checked && payments === null;
  const returned = cameBack.requests - cameBack.not_again;
  const disguised = agents.filter(({ as_others: others }) => others.length > 0);
  const link = outcomeLink(project.id, effect);
  const toTab = (tab?: string) => ({ to: '.', search: (now: object) => ({ ...now, tab }) }) as RowLink;
  // Payments have their own figures.
  const figures: ComponentProps<typeof Figure>[] = (payments === null ? OUTCOMES : [])
    // The sentence already contains a single outcome.
    .filter((outcome) => outcome !== 'allowed' && counts[outcome] > 0 && counts[outcome] < acted)
    .map((outcome) => ({
      label: mode === 'live' ? OUTCOME_LABELS[outcome] : `Would be ${OUTCOME_LABELS[outcome].toLowerCase()}`,
      value: formatCount(counts[outcome]),
      what: `of ${formatCount(checked)} requests`,
      link: effect.visits > 0 ? link([outcome], mode) : undefined,
    }));
  if (mode === 'live' && payments === null && cameBack.requests > 0) {
    figures.push(
      {
        label: 'Came back',
        value: formatPercent(returned / cameBack.requests),
        what: `after ${formatCount(cameBack.requests)} ${cameBack.requests === 1 ? 'response' : 'responses'}`,
        link: toTab(),
      },
      {
        label: 'Saved',
        value: bytes === null ? 'Not estimated' : `≈ ${formatBytes(bytes)}`,
        what: time === null ? 'Server time not estimated' : `≈ ${formatDuration(time)} of server time`,
        link: toTab('saved'),
      },
    );
  }
  if (mode === 'dry_run' && replayed !== null) {
    const verified = replayed && countVerified(replayed);
    figures.push({
      label: 'Verified agents affected',
      value: verified == null ? '–' : formatCount(verified),
      what: 'Requests, with current data',
    });
  }
  if (people.visits > 0 || mode === 'dry_run') {
    figures.push({
      label: 'Likely people affected',
      value: formatCount(people.visits),
      what: 'Visits with a browser’s full headers',
      ...(people.visits > 0 && { link: toTab('people'), isBad: true }),
    });
  }
  return (
    <Stack gap="sm">
      <Answer
        notes={<Notes project={project} effect={effect} difference={difference} isComparing={replayed === undefined} />}
      >
        {acted === 0 ? (
          <>
            {checked === 1 ? (
              'The only request'
            ) : (
              <>
                All <strong>{formatCount(checked)}</strong> requests
              </>
            )}{' '}
            that the rule checked in the last {days} days {checked === 1 ? 'was' : 'were'} allowed.
          </>
        ) : (
          <>
            <strong>
              {effect.visits > 0 ? (
                <TextLink {...link(ACTED, mode)} inherit>
                  {formatCount(acted)}
                </TextLink>
              ) : (
                formatCount(acted)
              )}
              {isPart && ` of ${formatCount(checked)}`}
            </strong>{' '}
            {acted === 1 && !isPart ? 'request' : 'requests'} in the last {days} days{' '}
            {mode === 'live' ? (acted === 1 ? 'was' : 'were') : 'would have been'} {describeOutcomes(counts)}.
          </>
        )}
        {payments !== null && (
          <>
            {' '}
            Agents{' '}
            <TextLink
              to="/projects/$projectId/paid-crawling"
              params={{ projectId: project.id }}
              search={{ range: days === 7 ? '7d' : '30d' }}
              inherit
            >
              {describeReactions(payments.total)}
            </TextLink>
            .
          </>
        )}
        {mode === 'live' && cameBack.requests > 0 && payments === null && (
          <>
            {returned === 0 && ' The visitors didn’t come back.'}
            {disguised.length > 0 && (
              <>
                {' '}
                Visits <strong>under another name</strong> came from the addresses or networks of{' '}
                {disguised.length === 1 ? '1 visitor' : `${formatCount(disguised.length)} visitors`}.
              </>
            )}
          </>
        )}
        {people.visits > 0 && (
          <>
            {' '}
            <strong>
              {formatCount(people.visits)} {people.visits === 1 ? 'visit' : 'visits'}
            </strong>{' '}
            may have been {people.visits === 1 ? 'a person' : 'people'}.
          </>
        )}
      </Answer>
      {payments !== null && <PaymentFigures project={project} report={payments} previous={undefined} before={null} />}
      {figures.length > 1 && (
        <div className={classes['figures']}>
          <Columns cols={{ base: 2, sm: figures.length }} gap="sm">
            {figures.map((figure) => (
              <Figure key={figure.label} {...figure} />
            ))}
          </Columns>
        </div>
      )}
    </Stack>
  );
}

/** Limits of the numbers. */
function Notes({
  project,
  effect,
  difference,
  isComparing,
}: Pick<EffectAnswerProps, 'project' | 'effect' | 'difference'> & { isComparing: boolean }) {
  const limits = <Limits project={project} effect={effect} />;
  return (
    <>
      {isComparing ? 'Comparing with current data…' : (difference ?? 'Decided when the requests arrived.')} {limits}
    </>
  );
}

/** Limits of what is known about the time after the decisions. */
function Limits({ project, effect }: Pick<EffectAnswerProps, 'project' | 'effect'>) {
  const acted = countActed(effect.live) + countActed(effect.dry_run);
  const from = formatFullTime(effect.counted_from, project.time_zone);
  if (effect.counted_from !== effect.from) {
    return (
      <>
        What followed is only known for the newest {formatCount(effect.visits)} visits, since {from}.
      </>
    );
  }
  if (effect.visits >= acted) return null;
  return (
    <>
      {effect.visits === 0
        ? 'None of these visits was recorded with its decision'
        : `Only ${formatCount(effect.visits)} of ${formatCount(acted)} visits were recorded with their decision`}
      , so what followed {effect.visits === 0 ? 'isn’t known' : 'is known only for them'}. Report the response header{' '}
      <code>agent-traffic-decision</code> with your visits.{' '}
      <TextLink to="/projects/$projectId/robots" params={{ projectId: project.id }} search={{ view: 'proxy' }} inherit>
        Check your proxy
      </TextLink>
    </>
  );
}
