import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import { policyCountsQuery, type PolicyRule } from '../../api/policy.js';
import { policyForecastQuery } from '../../api/policy-forecast.js';
import { provePolicy, simulationQuery, type ProofRequest, type SimulatedResponse } from '../../api/policy-proof.js';
import { formatDuration } from '../../format/duration.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { Answer } from '../../ui/answer.js';
import { AnswerSkeleton } from '../../ui/answer-skeleton.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { DebouncedInput } from '../../ui/debounced-input.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/section.js';
import { SmallSelect } from '../../ui/small-select.js';
import { TextLink } from '../../ui/text-link.js';
import verdict from '../../ui/verdict.module.css';
import type { SitePolicy } from '../../rules/controls.js';
import classes from './policy.module.css';
import { chooseTarget, MAX_PROOF_AGENTS } from './proof-agents.js';
import {
  describeMatching,
  describeOutcome,
  describeReplayed,
  describeResult,
  summarizeExpected,
  summarizeProof,
} from './proof-text.js';
import { containsNetwork, toAddressIn } from '../../rules/contains-network.js';
import { describeBystanders, sumEffect } from '../../rules/rule-effect.js';
import { useRecentAgents } from '../../rules/recent-agents.js';

const route = getRouteApi('/app/projects/$projectId/policy');

/** Number of days whose stored requests are replayed. */
const REPLAY_DAYS = 7;
/** Maximum number of networks that are simulated. */
const MAX_NETWORKS = 3;

const list = new Intl.ListFormat('en-US');
const anyOf = new Intl.ListFormat('en-US', { type: 'disjunction' });

const REASONS = {
  robots_txt: 'Disallowed in robots.txt, which a connected proxy enforces',
  nothing: 'No live rule applies',
};

/** Expected response to an agent, and the site's response once it was requested. */
interface Row {
  expected: SimulatedResponse;
  /** Undefined if the site wasn't requested as this visitor. */
  seen: ProofRequest | undefined;
  /** Network or address that the requests come from, and the agents that get this response from there. */
  origin?: { from: string; agents: string[]; isAll: boolean };
}

/** Groups the responses to requests from a network or address that differ from those to the same requests from elsewhere. */
function toOriginRows(
  from: string,
  responses: readonly SimulatedResponse[],
  elsewhere: readonly SimulatedResponse[],
): Row[] {
  const toKey = ({ expected_status: status, rule }: SimulatedResponse): string => `${status} ${rule?.id}`;
  const isSame = (one: SimulatedResponse): boolean =>
    elsewhere.some(
      (other) => other.agent_token === one.agent_token && other.result === one.result && toKey(other) === toKey(one),
    );
  const different = responses.filter((one) => !isSame(one));
  return [...Map.groupBy(different, toKey).values()].map((group) => ({
    expected: group[0]!,
    seen: undefined,
    origin: {
      from,
      agents: [...new Set(group.map(({ agent_token: token }) => token))],
      isAll: group.length === responses.length,
    },
  }));
}

interface ProofProps {
  project: Project;
  /** Published policy. */
  policy: SitePolicy;
  /** Identifies the published policy and robots.txt. */
  versions: readonly unknown[];
  /** True if some changes aren't published, so the requests wouldn't prove them. */
  hasChanges: boolean;
}

/** Shows which response the published policy requires for agents, and compares it with the site's responses. */
export default function Proof({ project, policy, versions, hasChanges }: ProofProps) {
  const { id: projectId, is_demo: isDemo, site_address: site, role } = project;
  const { prove, page, address, run, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { query } = useRecentAgents(projectId);
  const visiting = query.data?.agents ?? [];
  const target = chooseTarget(policy, visiting, run ? prove : undefined);
  const agents = run || prove === undefined ? target.agents : prove;
  const path = page ?? target.path;
  const body = { agent_tokens: agents, path };
  const isReady = !query.isPending;
  const simulation = useQuery({ ...simulationQuery(projectId, body, versions), enabled: isReady });
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  const proof = useMutation({ mutationFn: () => provePolicy(projectId, body) });
  const canSend = !isDemo && site !== null && role !== 'viewer';
  const change = (agentTokens: readonly string[], changedPath: string): void => {
    proof.reset();
    void navigate({
      search: { ...search, prove: [...agentTokens], page: changedPath, address },
      replace: true,
      resetScroll: false,
    });
  };
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!run || !isReady || hasStarted.current) return;
    hasStarted.current = true;
    if (canSend) proof.mutate();
    void navigate({ search: { ...search, prove: agents, page: path, address }, replace: true, resetScroll: false });
  });
  const live = policy.rules.filter(({ mode }) => mode === 'live');
  const networks = live.flatMap(({ action, visitors }) => (action.kind === 'allow' ? [] : (visitors?.networks ?? [])));
  const origins = address === undefined ? [...new Set(networks)].slice(0, MAX_NETWORKS) : [address];
  const originQueries = useQueries({
    queries: origins.map((origin) => ({
      ...simulationQuery(projectId, { ...body, client_address: toAddressIn(origin) }, versions),
      enabled: isReady,
      retry: false,
    })),
  });
  const replay = useQuery({ ...policyForecastQuery(projectId, live, REPLAY_DAYS), enabled: live.length > 0 });
  // Earlier rules can be missing from the policy.
  const isReplaying = replay.isPending || replay.isPlaceholderData;
  // The rules for networks whose rows are shown, and who else they affect.
  const bystanders = live
    .filter(({ visitors }) =>
      visitors?.networks?.some((network) => origins.some((origin) => containsNetwork(network, origin))),
    )
    .map((rule) => (replay.data === undefined ? '' : describeBystanders(sumEffect(replay.data, rule))));
  const isConnected = counted === undefined || counted.counts.length > 0;
  const requests = proof.data?.requests ?? [];
  const originRows = originQueries.flatMap(({ data, isPlaceholderData }, index) =>
    data === undefined || isPlaceholderData
      ? []
      : toOriginRows(origins[index]!, data.responses, simulation.data?.responses ?? []),
  );
  const agentRows = (simulation.data?.responses ?? []).map((expected): Row => ({
    expected,
    seen: requests.find((one) => one.agent_token === expected.agent_token && one.result === expected.result),
  }));
  const isUnenforced = requests.some((one) => one.expected_status !== 200 && one.answer?.status === 200);
  const others = visiting.flatMap(({ agent_token: token }) =>
    token === null || agents.includes(token) ? [] : [token],
  );
  if (query.isPending || simulation.isPending || originQueries.some(({ isPending }) => isPending)) {
    return (
      <>
        <AnswerSkeleton />
        <CardSkeleton rows={5} />
      </>
    );
  }
  return (
    <>
      <div role="status">
        {proof.isSuccess ? (
          <Answer>{summarizeProof(requests)}</Answer>
        ) : (
          simulation.isSuccess && (
            <Answer
              notes={
                <>
                  {bystanders.length > 0 &&
                    (isReplaying
                      ? 'Checking whether verified agents or likely people are affected, too… '
                      : `${[...new Set(bystanders)].filter(Boolean).join(' ')} `)}
                  {isDemo
                    ? `The demo has no site, so requests of the last ${REPLAY_DAYS} days were replayed instead.`
                    : 'Decided by the published policy. Nothing has been sent to your site yet.'}
                </>
              }
            >
              Simulated: {originRows.map(describeOrigin).join('')}
              {originRows.length > 0 && 'From elsewhere, '}
              {address !== undefined && originRows.length === 0 && `${address} is treated like any other address. `}
              {summarizeExpected(simulation.data.responses)}
            </Answer>
          )
        )}
      </div>
      {isUnenforced && (
        <Notice>
          Your site let a request through that the policy restricts. <ConnectLink projectId={projectId} /> with a token
          of this project, then send the requests again.
        </Notice>
      )}
      {!isUnenforced && !proof.isSuccess && canSend && !isConnected && (
        <Notice>
          Your site hasn’t asked for any decision in the last 30 days, so it probably doesn’t enforce the policy yet.{' '}
          <ConnectLink projectId={projectId} />, then send the requests.
        </Notice>
      )}
      {hasChanges && <Notice>Your unpublished changes aren’t included.</Notice>}
      {proof.isError && <Failure error={proof.error} title="Couldn't send the requests" />}
      {simulation.isError && (
        <Failure
          error={simulation.error}
          title="Couldn't evaluate the policy"
          retry={() => void simulation.refetch()}
        />
      )}
      <Section
        title="Requests"
        lead={
          isDemo
            ? 'On your own site, you can also send a request as each agent and compare the responses.'
            : `Requests ${site ?? 'your site'} from this server as each agent, and compares the responses with the policy.`
        }
        actions={
          canSend && (
            <Button size="compact-sm" loading={proof.isPending} disabled={!isReady} onClick={() => proof.mutate()}>
              {proof.isSuccess ? 'Send again' : 'Send requests'}
            </Button>
          )
        }
      >
        <Group gap="xs" align="flex-end">
          <DebouncedInput
            label="Page"
            size="xs"
            className={classes['target'] ?? ''}
            value={path}
            onTyped={(text) => change(agents, text.startsWith('/') ? text : `/${text}`)}
          />
          <DebouncedInput
            label="From address"
            size="xs"
            className={classes['target'] ?? ''}
            value={address ?? ''}
            placeholder={origins[0] === undefined ? 'Any' : toAddressIn(origins[0])}
            error={address !== undefined && originQueries[0]?.isError && 'Enter an address such as 203.0.113.7.'}
            onTyped={(text) =>
              void navigate({
                search: (now) => ({ ...now, address: text || undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          {agents.length < MAX_PROOF_AGENTS && others.length > 0 && (
            <SmallSelect
              aria-label="Add an agent"
              value=""
              options={[{ value: '', label: 'Add an agent…' }, ...others.map((value) => ({ value, label: value }))]}
              onChange={(token) => change([...agents, token], path)}
            />
          )}
        </Group>
        {site === null && (
          <Text size="sm">
            To send requests, enter your site’s address in the{' '}
            <TextLink to="/projects/$projectId/settings" params={{ projectId }} inherit>
              settings
            </TextLink>
            .
          </Text>
        )}
        <DataTable
          label="Responses by agent"
          columns={createColumns({
            isSimulated: !canSend,
            describeStored: (row) => {
              if (isReplaying) return <Skeleton h={40} animate={false} />;
              if (replay.data === undefined) return null;
              const rule = live.find(({ id }) => id === row.expected.rule?.id);
              if (row.origin === undefined)
                return describeReplayed(replay.data, live, row.expected.agent_token, row.expected.rule?.id ?? null);
              return rule?.visitors?.networks === undefined ? null : describeMatching(sumEffect(replay.data, rule));
            },
            hasStored: live.length > 0,
            toRuleLink: ({ id, name }) => (
              <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: id }} inherit>
                {name}
              </TextLink>
            ),
            hasSeen: proof.isSuccess,
            hasVariants: (token) => agentRows.filter(({ expected }) => expected.agent_token === token).length > 1,
            findOperator: (token) => visiting.find((agent) => agent.agent_token === token)?.operator_name,
            onRemove:
              agents.length > 1
                ? (token) =>
                    change(
                      agents.filter((other) => other !== token),
                      path,
                    )
                : undefined,
          })}
          rows={[...originRows, ...agentRows]}
          rowKey={({ expected, origin }) => `${origin?.from} ${expected.agent_token} ${expected.result}`}
          phone={['agent expected', 'reason remove', 'replayed replayed', 'seen seen']}
        />
        <DryRuns projectId={projectId} rows={agentRows} rules={policy.rules} />
        {canSend && (
          <Text size="xs" c="dimmed">
            The requests don’t come from the agents’ operators, so they show how your site responds to unverified
            visitors. They’re recorded as visits of the test agent and don’t count as failed verifications.
          </Text>
        )}
      </Section>
    </>
  );
}

interface ColumnOptions {
  isSimulated: boolean;
  toRuleLink: (rule: NonNullable<SimulatedResponse['rule']>) => ReactNode;
  hasStored: boolean;
  /** Describes the outcomes of a row's stored requests. Returns null if they're unknown. */
  describeStored: (row: Row) => ReactNode;
  hasSeen: boolean;
  /** Returns true if the verified agent gets another response than other visitors that claim to be it. */
  hasVariants: (token: string) => boolean;
  findOperator: (token: string) => string | null | undefined;
  onRemove: ((token: string) => void) | undefined;
}

const createColumns = ({
  isSimulated,
  toRuleLink,
  hasStored,
  describeStored,
  hasSeen,
  hasVariants,
  findOperator,
  onRemove,
}: ColumnOptions): readonly TableColumn<Row>[] => [
  {
    key: 'agent',
    label: 'Requested as',
    isHead: true,
    cell: ({ expected: { agent_token: token, result }, origin }) =>
      origin === undefined ? (
        <>
          <MarkedName name={token} operator={findOperator(token)}>
            {token}
          </MarkedName>
          {hasVariants(token) && (
            <span className={classes['mode']}>{result === 'verified' ? ' (verified)' : ' (not verified)'}</span>
          )}
        </>
      ) : (
        <>
          {origin.isAll ? 'Everyone' : list.format(origin.agents)}
          <span className={classes['mode']}> from {origin.from}</span>
        </>
      ),
  },
  {
    key: 'expected',
    label: isSimulated ? 'Simulated response' : 'Expected',
    cell: ({ expected }) => <Outcome status={expected.expected_status} />,
  },
  {
    key: 'reason',
    label: 'Reason',
    cell: ({ expected: { decided_by: decidedBy, rule } }) =>
      decidedBy === 'rule' && rule !== null ? toRuleLink(rule) : REASONS[decidedBy as keyof typeof REASONS],
  },
  ...(hasStored
    ? [
        {
          key: 'replayed',
          label: `Stored requests, ${REPLAY_DAYS} days`,
          cell: describeStored,
          // The other columns don't move once the requests have been replayed.
          style: { width: '50%' },
        },
      ]
    : []),
  ...(hasSeen ? [{ key: 'seen', label: 'Seen', cell: ({ seen }: Row) => seen && <Seen request={seen} /> }] : []),
  ...(onRemove === undefined
    ? []
    : [
        {
          key: 'remove',
          label: 'Actions',
          isNumber: true as const,
          cell: ({ expected: { agent_token: token }, origin }: Row) =>
            origin === undefined && (
              <button type="button" className={classes['edit']} onClick={() => onRemove(token)}>
                Remove<span className="unseen"> {token}</span>
              </button>
            ),
        },
      ]),
];

/** Describes the response to requests from a network or address. */
const describeOrigin = ({ expected: { expected_status: status }, origin }: Row): string => {
  const { from, agents, isAll } = origin!;
  const [who, verb] = isAll ? ['Everyone', 'is'] : [list.format(agents), agents.length === 1 ? 'is' : 'are'];
  return `${who} from ${from} ${verb} ${describeResult(status)}. `;
};

interface DryRunsProps {
  projectId: string;
  rows: readonly Row[];
  rules: readonly PolicyRule[];
}

/** Lists the rules in dry run that would change responses. */
function DryRuns({ projectId, rows, rules }: DryRunsProps) {
  const changes = rows.flatMap(({ expected: { agent_token: token, dry_run_rule: rule } }) =>
    rule === null || rule.status === 200 ? [] : { token, rule },
  );
  return [...Map.groupBy(changes, ({ rule }) => rule.id).values()].map((group) => {
    const { id, name, status } = group[0]!.rule;
    const tokens = [...new Set(group.map(({ token }) => token))];
    const results = rules.find((rule) => rule.id === id)?.visitors?.results;
    return (
      <Text size="sm" c="dimmed" key={id}>
        <TextLink to="/projects/$projectId/policy/rules/$ruleId" params={{ projectId, ruleId: id }} inherit>
          {name}
        </TextLink>{' '}
        is in dry run.{' '}
        {results !== undefined && !results.includes('verified')
          ? `Once it’s live, anyone falsely claiming to be ${anyOf.format(tokens)} will be ${describeResult(status)}, too. Verified agents aren’t affected.`
          : `Once it’s live, ${list.format(tokens)} ${tokens.length === 1 ? 'is' : 'are'} ${describeResult(status)}.`}
      </Text>
    );
  });
}

const Outcome = ({ status }: { status: number }) => (
  <span className={classes['outcome']} data-blocked={status !== 200 || undefined}>
    <Icon name={status === 200 ? 'check' : 'block'} size={15} />
    {describeOutcome(status)}
  </span>
);

/** Response of the site, and what to do if it differs. */
const Seen = ({
  request: { answer, retry_after: retryAfter, is_expected: isExpected, findings },
}: {
  request: ProofRequest;
}) => (
  <Stack gap={2}>
    <span className={verdict['verdict']} data-result={isExpected ? 'verified' : 'verification_failed'}>
      <Icon name={isExpected ? 'check' : 'failed'} size={15} />
      {answer === null ? 'No response' : `${answer.status}, ${isExpected ? 'as expected' : 'not as expected'}`}
    </span>
    {answer !== null && (
      <Text size="xs" c="dimmed">
        {formatDuration(answer.milliseconds)}
        {retryAfter !== null && `, Retry-After: ${retryAfter}`}
      </Text>
    )}
    {findings.map((finding) => (
      <Text size="xs" key={finding}>
        {finding}
      </Text>
    ))}
  </Stack>
);

const Notice = ({ children }: { children: ReactNode }) => (
  <div className={classes['notice']} role="note">
    <Icon name="alert" size={16} />
    <span>{children}</span>
  </div>
);

const ConnectLink = ({ projectId }: { projectId: string }) => (
  <TextLink to="/projects/$projectId/robots" params={{ projectId }} search={{ view: 'proxy' }} inherit>
    Connect your proxy
  </TextLink>
);
