import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { ApiError, type Versioned } from '../../api/client.js';
import { policyQuery, usePublishPolicy, type CurrentPolicy, type PolicyEtags } from '../../api/policy.js';
import { rulesVersionsQuery } from '../../api/rules-queries.js';
import { Failure } from '../../ui/failure.js';
import type { PublishMode, SitePolicy } from './controls.js';
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

interface PublishBarProps {
  projectId: string;
  saved: Versioned<CurrentPolicy>;
  /** Published policy that the changes are based on. */
  before: SitePolicy;
  /** Policy after the changes. */
  after: SitePolicy;
  /** True if some changes can start in dry run. */
  canDryRun: boolean;
  /** True if all new limits, prices and blocks start in dry run. */
  isDryRun: boolean;
  mode: PublishMode;
  /** Error in the changes, or null if they can be published. */
  fault: string | null;
  onMode: (mode: PublishMode) => void;
  onDiscard: () => void;
  onPublished: (publication: Publication) => void;
}

/** Reviews, publishes or discards unpublished changes. */
export function PublishBar(props: PublishBarProps) {
  const { projectId, saved, before, after, canDryRun, isDryRun, mode, fault, onMode, onDiscard, onPublished } = props;
  const queryClient = useQueryClient();
  const publish = usePublishPolicy(projectId);
  const [isOpen, setOpen] = useState(false);
  // Version that the changes are based on. The page may load a newer one in the background.
  const [etag, setEtag] = useState(saved.etag);
  // Replaced parts. A failed attempt may have published the rules already, and this updates `before`.
  const replaced = useRef<Partial<SitePolicy>>({});
  const publishing = useMutation({
    mutationFn: async (base: Pick<CurrentPolicy, 'rules'> & { etag: string | null }): Promise<Publication> => {
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
  return (
    <section className={classes['changes']} aria-label="Unpublished changes">
      {isOpen && (
        <Suspense>
          <PublishReview {...{ projectId, before, after, canDryRun, mode, onMode }} />
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
          {!isOpen && (
            <Button size="sm" disabled={fault !== null} onClick={() => setOpen(true)}>
              Review and publish
            </Button>
          )}
          {isOpen && (
            <Button
              size="sm"
              disabled={fault !== null}
              loading={publishing.isPending}
              onClick={() => {
                const base = isConflict ? current : { rules: before.rules, etag };
                setEtag(base.etag);
                // Undo restores the other person's version.
                if (isConflict) delete replaced.current.rules;
                publishing.mutate(base);
              }}
            >
              {isConflict ? 'Publish mine anyway' : isDryRun ? 'Publish in dry run' : 'Publish'}
            </Button>
          )}
        </Group>
      </Group>
    </section>
  );
}
