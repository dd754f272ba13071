import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { ApiError, type Versioned } from '../../api/client.js';
import { policyQuery, usePublishPolicy, type CurrentPolicy, type PolicyEtags } from '../../api/policy.js';
import { rulesVersionsQuery } from '../../api/rules-queries.js';
import { Failure } from '../../ui/failure.js';
import type { SitePolicy } from '../../rules/controls.js';
import classes from './policy.module.css';

const PublishReview = lazy(() => import('./publish-review.js'));

/** Published change that can be undone. */
export interface Publication {
  /** Policy before the change. */
  previous: SitePolicy;
  published: SitePolicy;
  /** ETags of the published versions. */
  etags: PolicyEtags;
}

interface PublishAttempt {
  after: SitePolicy;
  /** Version to replace. */
  base: Pick<CurrentPolicy, 'rules'> & { etag: string | null };
}

interface PublishBarProps {
  projectId: string;
  saved: Versioned<CurrentPolicy>;
  /** Published policy that the changes are based on. */
  before: SitePolicy;
  /** Policy after the changes. */
  live: SitePolicy;
  /** Policy if new limits, prices and blocks start in dry run. Null if there are none. */
  dryRun: SitePolicy | null;
  /** Error in the changes, or null if they can be published. */
  fault: string | null;
  /** True if the changes are reviewed, which is required before they're published. */
  isReviewing: boolean;
  onReview: () => void;
  onDiscard: () => void;
  onPublished: (publication: Publication) => void;
}

/** Reviews, publishes or discards unpublished changes. */
export function PublishBar(props: PublishBarProps) {
  const { projectId, saved, before, live, dryRun, fault, isReviewing, onReview, onDiscard, onPublished } = props;
  const queryClient = useQueryClient();
  const publish = usePublishPolicy(projectId);
  // Version that the changes are based on. The page may load a newer one in the background.
  const [etag, setEtag] = useState(saved.etag);
  // Replaced parts. A failed attempt may have published the rules already, and this updates `before`.
  const replaced = useRef<Partial<SitePolicy>>({});
  const publishing = useMutation({
    mutationFn: async ({ after, base }: PublishAttempt): Promise<Publication> => {
      const previous = { ...before, rules: base.rules };
      const robots = queryClient.getQueryData(rulesVersionsQuery(projectId).queryKey)?.etag ?? null;
      const etags = await publish({
        before: previous,
        after,
        etags: { rules: base.etag, robots },
        onReplaced: (part) => (replaced.current = { ...part, ...replaced.current }),
      });
      return { previous: { ...previous, ...replaced.current }, published: after, etags };
    },
    onSuccess: onPublished,
  });
  const current =
    publishing.error instanceof ApiError
      ? (publishing.error.current as Versioned<CurrentPolicy> | undefined)
      : undefined;
  const isConflict = current?.rules !== undefined;
  const discard = (): void => {
    if (isConflict) queryClient.setQueryData(policyQuery(projectId).queryKey, current);
    onDiscard();
  };
  const start = (after: SitePolicy): void => {
    const base = isConflict ? current : { rules: before.rules, etag };
    setEtag(base.etag);
    // Undo restores the other person's version.
    if (isConflict) delete replaced.current.rules;
    publishing.mutate({ after, base });
  };
  const button = (after: SitePolicy) => ({
    size: 'sm',
    disabled: fault !== null || publishing.isPending,
    loading: publishing.isPending && publishing.variables.after === after,
    onClick: () => start(after),
  });
  return (
    <section className={classes['changes']} aria-label="Unpublished changes">
      {isReviewing && (
        <Suspense>
          <PublishReview projectId={projectId} before={before} after={live} hasDryRun={dryRun !== null} />
        </Suspense>
      )}
      {publishing.isError && <Failure error={publishing.error} />}
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {isConflict
            ? `Someone else published a version with ${current.rules.length} ${current.rules.length === 1 ? 'rule' : 'rules'} while you were editing.`
            : (fault ?? 'Your changes haven’t been published.')}
        </Text>
        <Group gap="xs">
          <Button size="sm" variant="default" onClick={discard}>
            Discard changes
          </Button>
          {!isReviewing && (
            <Button size="sm" disabled={fault !== null} onClick={onReview}>
              Review and publish
            </Button>
          )}
          {isReviewing && dryRun !== null && (
            <Button {...button(dryRun)} variant="default">
              Publish as a dry run
            </Button>
          )}
          {isReviewing && (
            <Button {...button(live)}>
              {isConflict ? 'Publish mine anyway' : dryRun === null ? 'Publish' : 'Publish live'}
            </Button>
          )}
        </Group>
      </Group>
    </section>
  );
}
