import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { ApiError } from '../../api/client.js';
import { policyQuery, usePublishPolicy, type PolicyRule } from '../../api/policy.js';
import { projectQuery } from '../../api/queries.js';
import { rulesVersionsQuery } from '../../api/rules-queries.js';
import { AnswerSkeleton } from '../../ui/answer-skeleton.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { validateChoice } from './control-cell.js';
import { applyChoices, canDryRun, type Choice, type Choices, type SitePolicy } from '../../rules/controls.js';
import { PolicyHead } from './policy-head.js';
import { findNewRules, listAgents } from './proof-agents.js';
import { PolicyOverview, PolicySkeleton } from './policy-overview.js';
import { createTypeOf } from './policy-rows.js';
import { PublishBar, type Publication } from './publish-bar.js';
import classes from './policy.module.css';
import { useRecentAgents } from '../../rules/recent-agents.js';

const Advanced = lazy(() => import('./advanced.js'));
const Forecast = lazy(() => import('./forecast.js'));
const Proof = lazy(() => import('./proof.js'));
const RuleDrawer = lazy(() => import('../../rules/rule-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/policy');

const CONFLICT_STATUS = 412;
const SKELETON = (
  <>
    <AnswerSkeleton />
    <CardSkeleton rows={8} />
  </>
);

/** Rule open in the form. New exceptions come first, so that rules for types don't decide before them. */
type Edited = PolicyRule | 'new rule' | 'new exception';

interface EditedRule {
  rule: Edited;
  /** Confirms that the rule goes live instead of editing it. */
  isGoingLive?: boolean;
}

export function PolicyPage() {
  const { projectId } = route.useParams();
  const {
    view = 'rules',
    prove: _prove,
    page: _page,
    address: _address,
    run: _run,
    ...robotsSearch
  } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Policy', project.name);
  const query = useQuery(policyQuery(projectId));
  const versions = useQuery(rulesVersionsQuery(projectId));
  // Rules edited in the form or the list. Choices in the table are applied on top of them.
  const [draft, setDraft] = useState<PolicyRule[] | null>(null);
  const [choices, setChoices] = useState<Choices>({});
  const [edited, setEdited] = useState<EditedRule | null>(null);
  const [isReviewing, setReviewing] = useState(false);
  const [publication, setPublication] = useState<Publication | null>(null);
  const isReader = project.role === 'viewer';
  const isReady = query.isSuccess && versions.isSuccess;
  const before: SitePolicy = {
    rules: query.data?.rules ?? [],
    selection: versions.data?.[0]?.selection ?? { agent_types: [], format: 'blocks' },
  };
  const current: SitePolicy = { ...before, rules: draft ?? before.rules };
  const { query: recent } = useRecentAgents(projectId);
  const typeOf = createTypeOf(recent.data?.agents ?? []);
  const chosen = Object.entries(choices) as [string, Choice][];
  const hasChanges = draft !== null || chosen.length > 0;
  // The lab is a view of this page and includes the changes.
  useBlocker({
    shouldBlockFn: ({ current: from, next }) =>
      hasChanges && from.pathname !== next.pathname && !window.confirm('Discard your unpublished changes?'),
    enableBeforeUnload: () => hasChanges,
  });
  const reset = (): void => {
    setDraft(null);
    setChoices({});
    setReviewing(false);
  };
  return (
    <Stack>
      <PolicyHead projectId={projectId} view={view} search={robotsSearch} />
      {(query.isPending || versions.isPending) && (view === 'rules' ? <PolicySkeleton /> : SKELETON)}
      {query.isError && (
        <Failure title="Couldn't load the policy" error={query.error} retry={() => void query.refetch()} />
      )}
      {versions.isError && (
        <Failure title="Couldn't load robots.txt" error={versions.error} retry={() => void versions.refetch()} />
      )}
      {edited !== null && (
        <Suspense>
          <RuleDrawer
            project={project}
            rule={typeof edited.rule === 'string' ? null : edited.rule}
            isException={edited.rule === 'new exception'}
            isGoingLive={edited.isGoingLive ?? false}
            draft={hasChanges ? { rules: current.rules, onChange: setDraft } : undefined}
            onSaved={() => setPublication(null)}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
      {isReady && view === 'rules' && (
        <PolicyOverview
          projectId={projectId}
          policy={current}
          choices={choices}
          isReader={isReader}
          hasChanges={hasChanges}
          onChoices={setChoices}
          onReview={() => setReviewing(true)}
          onAdd={() => setEdited({ rule: 'new exception' })}
          onEdit={(rule) => setEdited({ rule })}
        />
      )}
      {isReady && view === 'proof' && (
        <Suspense fallback={SKELETON}>
          <Proof
            project={project}
            policy={before}
            versions={[query.data.etag, versions.data[0]?.id]}
            hasChanges={hasChanges}
          />
        </Suspense>
      )}
      {isReady && view === 'advanced' && (
        <Suspense fallback={SKELETON}>
          <Advanced
            project={project}
            rules={current.rules}
            published={query.data}
            isReader={isReader}
            onChange={setDraft}
            onAdd={() => setEdited({ rule: 'new rule' })}
            onEdit={(rule) => setEdited({ rule })}
          />
        </Suspense>
      )}
      {isReady && view === 'lab' && (
        <Suspense fallback={SKELETON}>
          <Forecast
            project={project}
            rules={applyChoices(current, choices, 'live', typeOf).rules}
            hasChanges={hasChanges}
            onGoLive={(rule) => setEdited({ rule, isGoingLive: true })}
          />
        </Suspense>
      )}
      {isReady && hasChanges && (
        <PublishBar
          projectId={projectId}
          saved={query.data}
          before={before}
          live={applyChoices(current, choices, 'live', typeOf)}
          dryRun={
            chosen.some(([, choice]) => canDryRun(choice)) ? applyChoices(current, choices, 'dry_run', typeOf) : null
          }
          fault={findFault(chosen)}
          isReviewing={isReviewing}
          onReview={() => setReviewing(true)}
          onDiscard={reset}
          onPublished={(published) => {
            setPublication(published);
            reset();
          }}
        />
      )}
      {publication !== null && !hasChanges && (
        <Undo projectId={projectId} publication={publication} onDone={() => setPublication(null)} />
      )}
    </Stack>
  );
}

function findFault(chosen: readonly [string, Choice][]): string | null {
  for (const [type, choice] of chosen) {
    const fault = validateChoice(choice);
    if (fault !== null) return `${type}: ${fault}`;
  }
  return null;
}

interface UndoProps {
  projectId: string;
  publication: Publication;
  onDone: () => void;
}

/** Confirms that changes were published, and restores the previous rules and robots.txt. */
function Undo({ projectId, publication, onDone }: UndoProps) {
  const { previous, published, etags } = publication;
  const publish = usePublishPolicy(projectId);
  const { query } = useRecentAgents(projectId);
  const prove = listAgents(findNewRules(previous.rules, published.rules), query.data?.agents ?? []);
  const undoing = useMutation({
    mutationFn: () => publish({ before: published, after: previous, etags }),
    onSuccess: onDone,
  });
  const isConflict = undoing.error instanceof ApiError && undoing.error.status === CONFLICT_STATUS;
  return (
    <section className={classes['changes']} aria-label="Published changes">
      {undoing.isError && !isConflict && (
        <Failure error={undoing.error} title="Couldn't restore the previous version" />
      )}
      <Group gap="xs">
        <Text size="sm" role="status" flex={1} miw={180}>
          {isConflict
            ? 'Someone else has published a newer version since. Undo would discard it, so reload the page and change that version instead.'
            : 'Published. It takes effect within a few seconds.'}
        </Text>
        {!isConflict && (
          <Button
            size="compact-sm"
            renderRoot={(props: object) => (
              <Link
                {...props}
                to="/projects/$projectId/policy"
                params={{ projectId }}
                search={{ view: 'proof', ...(prove.length > 0 && { prove }), run: true }}
                onClick={onDone}
              />
            )}
          >
            Prove it
          </Button>
        )}
        {!isConflict && (
          <Button size="compact-sm" variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
            Undo
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={onDone}>
          Dismiss
        </Button>
      </Group>
    </section>
  );
}
