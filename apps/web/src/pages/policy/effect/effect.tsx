import { Button, Card, Group, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { capitalize } from '#libs/agents/vocabulary';
import { ApiError, type Project } from '../../../api/client.js';
import { policyQuery, type CurrentPolicy, type PolicyRule } from '../../../api/policy.js';
import { paymentsQuery, type PaymentsReport } from '../../../api/payments.js';
import { policyForecastQuery } from '../../../api/policy-forecast.js';
import { policyEffectQuery, type PolicyEffect } from '../../../api/policy-effect.js';
import { projectQuery } from '../../../api/queries.js';
import { TimeChart } from '../../../charts/time-chart.js';
import { PAYMENT_SERIES, toSeriesItems } from '../../../payments/payment-series.js';
import { CardSkeleton } from '../../../ui/card-skeleton.js';
import { AnswerSkeleton } from '../../../ui/answer-skeleton.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Failure } from '../../../ui/failure.js';
import { MissingPage } from '../../../ui/missing-page.js';
import { PageHeader } from '../../../ui/page-header.js';
import { RelativeTime } from '../../../ui/relative-time.js';
import { SmallSelect } from '../../../ui/small-select.js';
import { TextLink } from '../../../ui/text-link.js';
import { usePageTitle } from '../../../ui/use-page-title.js';
import { toAddressIn } from '../../../rules/contains-network.js';
import { compareRecorded, sumEffect } from '../../../rules/rule-effect.js';
import { describeRule } from '../../../rules/rule-text.js';
import { MAX_PROOF_AGENTS } from '../proof-agents.js';
import { EffectAnswer } from './effect-answer.js';
import { AffectedAgents, RuleReplay } from './rule-replay.js';
import { countChecked, getShownMode, OUTCOME_SERIES } from '../../../rules/outcomes.js';
import { toPaymentFilters } from './rule-payments.js';
import { DEFAULT_DAYS, EFFECT_PERIODS } from './search.js';

// Loads in parallel with the data.
const effectTabs = import('./effect-tabs.js').then((module) => ({ default: module.EffectTabs }));
const EffectTabs = lazy(() => effectTabs);
const RuleDrawer = lazy(() => import('../../../rules/rule-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/policy/rules/$ruleId');

/** Page about the effect of a rule. */
export function EffectPage() {
  const { projectId, ruleId } = route.useParams();
  const { days = DEFAULT_DAYS } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { data: policy, isPending } = useQuery(policyQuery(projectId));
  const query = useQuery({ ...policyEffectQuery(projectId, ruleId, days), placeholderData: keepPreviousData });
  const rule = policy?.rules.find(({ id, exceptions = [] }) =>
    [id, ...exceptions.map((one) => one.id)].includes(ruleId),
  );
  const [edited, setEdited] = useState<{ isGoingLive?: true } | null>(null);
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  const name = isMissing ? 'Rule not found' : (rule?.name ?? (policy === undefined ? 'Rule' : 'Removed rule'));
  usePageTitle(name, project.name);
  if (isMissing) {
    return (
      <MissingPage title={name} text="The address may be mistyped, or the rule may no longer exist.">
        <TextLink to="/projects/$projectId/policy" params={{ projectId }} search={{ view: 'advanced' }}>
          All rules
        </TextLink>
      </MissingPage>
    );
  }
  // The header's height depends on both.
  if (isPending || query.isPending) {
    return (
      <Stack gap="xs">
        <Skeleton h={14} w={64} my={4} animate={false} />
        <Skeleton h={26} w={220} animate={false} />
        <Skeleton h={12} my={4} maw={420} animate={false} />
        {LOADING}
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <TextLink to="/projects/$projectId/policy" params={{ projectId }} search={{ view: 'advanced' }} size="sm">
        All rules
      </TextLink>
      <PageHeader
        title={name}
        lead={<Lead rule={rule?.exceptions?.find(({ id }) => id === ruleId) ?? rule} effect={query.data} />}
        actions={
          <Group gap="xs">
            <SmallSelect
              aria-label="Period"
              options={EFFECT_PERIODS}
              value={String(days)}
              onChange={(value) =>
                void navigate({
                  search: (now) => ({ ...now, days: Number(value) === DEFAULT_DAYS ? undefined : Number(value) }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
            {rule !== undefined && project.role !== 'viewer' && (
              <>
                <Button size="compact-sm" h={28} variant="default" onClick={() => setEdited({})}>
                  Edit rule
                </Button>
                {rule.mode === 'live' && rule.action.kind !== 'allow' && (
                  <Button
                    size="compact-sm"
                    h={28}
                    renderRoot={(props: object) => (
                      <Link
                        {...props}
                        to="/projects/$projectId/policy"
                        params={{ projectId }}
                        search={{ view: 'proof', ...toProof(rule) }}
                      />
                    )}
                  >
                    Prove it
                  </Button>
                )}
                {rule.mode === 'dry_run' && (
                  <Button size="compact-sm" h={28} onClick={() => setEdited({ isGoingLive: true })}>
                    Go live
                  </Button>
                )}
              </>
            )}
          </Group>
        }
      />
      {query.isError && (
        <Failure title="Couldn't load the effect" error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && (
        <Effect project={project} rule={rule} policy={policy ?? NO_POLICY} effect={query.data} days={days} />
      )}
      <Suspense>
        {edited !== null && rule !== undefined && (
          <RuleDrawer project={project} rule={rule} {...edited} onClose={() => setEdited(null)} />
        )}
      </Suspense>
    </Stack>
  );
}

const NO_POLICY: CurrentPolicy = { version: null, rules: [] };
const LOADING = (
  <Stack>
    <AnswerSkeleton />
    <CardSkeleton chart={330} />
    <CardSkeleton rows={6} />
  </Stack>
);

/** Returns what to prove: an address in the rule's network, or its agents. */
function toProof({ visitors = {} }: PolicyRule): { address?: string; prove?: string[] } {
  const network = visitors.networks?.[0];
  if (network !== undefined) return { address: toAddressIn(network) };
  return visitors.agent_tokens === undefined ? {} : { prove: visitors.agent_tokens.slice(0, MAX_PROOF_AGENTS) };
}

interface LeadProps {
  rule: Pick<PolicyRule, 'visitors' | 'requests' | 'action'> | undefined;
  effect: PolicyEffect | undefined;
}

function Lead({ rule, effect }: LeadProps) {
  return (
    <>
      {rule && capitalize(describeRule(rule))}
      {rule && effect && ' · '}
      {effect &&
        (effect.live_since === null ? (
          'not enforced yet'
        ) : effect.live_until === null ? (
          <>
            went live <RelativeTime time={effect.live_since} />
          </>
        ) : (
          <>
            stopped <RelativeTime time={effect.live_until} />
          </>
        ))}
    </>
  );
}

/** Returns how agents reacted to a rule that charges: null if that isn't known, undefined while it loads. */
function useRulePayments(
  projectId: string,
  rule: PolicyRule | undefined,
  effect: PolicyEffect,
): PaymentsReport | null | undefined {
  const filters = rule === undefined ? null : toPaymentFilters(rule);
  const isCharged = filters !== null && effect.live.charged > 0;
  const { data, isError } = useQuery({ ...paymentsQuery(projectId, effect, filters ?? {}), enabled: isCharged });
  if (!isCharged || isError) return null;
  return data?.total.asked === 0 ? null : data;
}

interface EffectProps {
  project: Project;
  /** Undefined for a removed rule. */
  rule: PolicyRule | undefined;
  /** Published policy. */
  policy: CurrentPolicy;
  effect: PolicyEffect;
  days: number;
}

function Effect({ project, rule, policy, effect, days }: EffectProps) {
  const { rules } = policy;
  const { table: isTable = false } = route.useSearch();
  const navigate = route.useNavigate();
  const mode = getShownMode(effect);
  const payments = useRulePayments(project.id, rule, effect);
  const isReplayed = rule !== undefined && rule.mode !== 'off' && countChecked(effect[mode]) > 0;
  const replay = useQuery({ ...policyForecastQuery(project.id, rules, days), enabled: isReplayed });
  const isReady = replay.data !== undefined && !replay.isPlaceholderData;
  const replayed = !isReplayed || replay.isError ? null : isReady ? sumEffect(replay.data, rule) : undefined;
  if (countChecked(effect[mode]) === 0) {
    return rule === undefined || rule.mode === 'off' ? (
      <EmptyState title={`No requests in the last ${days} days`}>The rule hasn’t decided on any request.</EmptyState>
    ) : (
      <RuleReplay project={project} rule={rule} rules={rules} liveSince={effect.live_since} days={days} />
    );
  }
  if (payments === undefined) return LOADING;
  const series = OUTCOME_SERIES.filter(({ key }) => effect[mode][key] > 0);
  const reactions = payments && toSeriesItems(payments);
  const difference =
    replayed && rule !== undefined && isReady
      ? compareRecorded(replayed, rule, {
          from: replay.data.from,
          changedAt: policy.version?.saved_at ?? null,
          timeZone: project.time_zone,
        })
      : null;
  return (
    <Stack>
      <EffectAnswer
        project={project}
        effect={effect}
        payments={payments}
        replayed={replayed}
        difference={difference}
        days={days}
      />
      <Card withBorder>
        <TimeChart
          title={
            reactions !== null
              ? 'Requests to pay'
              : mode === 'live'
                ? 'Requests by outcome'
                : 'Requests by outcome, in dry run'
          }
          series={
            reactions === null
              ? series
              : PAYMENT_SERIES.filter(({ key }) => reactions.some(({ values }) => values[key]! > 0))
          }
          items={reactions ?? effect.series.map((item) => ({ time: item.time, values: item[mode] }))}
          times={{
            bucket: payments?.bucket ?? effect.bucket,
            projectZone: project.time_zone,
            timeZone: project.time_zone,
          }}
          range={effect}
          isTable={isTable}
          onTable={(table) =>
            void navigate({
              search: (now) => ({ ...now, table: table || undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Card>
      {mode === 'dry_run' && replayed === undefined && <CardSkeleton rows={8} />}
      {mode === 'dry_run' && replayed && replayed.acted > 0 && (
        <AffectedAgents projectId={project.id} effect={replayed} title="Who would be affected" range={replay.data!} />
      )}
      <Suspense fallback={<CardSkeleton rows={8} />}>
        <EffectTabs project={project} effect={effect} payments={payments} />
      </Suspense>
    </Stack>
  );
}
