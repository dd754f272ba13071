import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CurrentPolicy, LimitServer, PolicyCounts, PolicyRule } from '#libs/contracts';
import { client, data, versioned, type Versioned } from './client.js';
import { ifMatch, recordReplacement } from './if-match.js';
import { isSameContent } from './is-same-content.js';
import { rulesVersionQuery, rulesVersionsQuery, type RulesSelection } from './rules-queries.js';

export type { CurrentPolicy, PolicyCounts, PolicyRule };
export type RuleCount = PolicyCounts['counts'][number];

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'policy'],
    queryFn: (): Promise<Versioned<CurrentPolicy>> =>
      versioned(client.GET('/api/projects/{id}/policy', { params: { path: { id } } })),
    // Refetching would not change a draft, but its base.
    refetchOnWindowFocus: false,
  });

/**
 * Saved versions, newest first.
 *
 * @param current ID of the published version.
 */
export const policyVersionsQuery = (id: string, current: string | null) =>
  queryOptions({
    queryKey: ['projects', id, 'policy versions', current],
    queryFn: async () =>
      (await data(client.GET('/api/projects/{id}/policy-versions', { params: { path: { id } } }))).versions,
  });

/** Version with its rules. */
export const policyVersionQuery = (id: string, policyVersionId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'policy version', policyVersionId],
    queryFn: () =>
      data(
        client.GET('/api/projects/{id}/policy-versions/{policyVersionId}', {
          params: { path: { id, policyVersionId } },
        }),
      ),
    staleTime: Infinity,
  });

/** Decisions of the last 30 days. */
export const policyCountsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'policy counts'],
    queryFn: () => data(client.GET('/api/projects/{id}/policy/counts', { params: { path: { id } } })),
    refetchInterval: 60_000,
  });

/** Limits of live rules as configuration for a server. */
export const policyLimitsQuery = (id: string, server: LimitServer) =>
  queryOptions({
    queryKey: ['projects', id, 'policy limits', server],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/policy/limits', { params: { path: { id }, query: { server } } })),
  });

/** Number of days that the forecast stored with each version is based on. */
const FORECAST_DAYS = 7;

/** Rules of the policy, and the agents that robots.txt disallows. */
interface PublishedPolicy {
  rules: PolicyRule[];
  selection: RulesSelection;
}

/** ETags of the rules and of the list of robots.txt versions. */
export interface PolicyEtags {
  rules: string | null;
  robots: string | null;
}

interface PublishRequest {
  /** Policy to replace. */
  before: PublishedPolicy;
  after: PublishedPolicy;
  /** Versions to replace. */
  etags: PolicyEtags;
  /** Receives each replaced part once its new version is saved. The other part can still fail. */
  onReplaced?: (part: Partial<PublishedPolicy>) => void;
}

/**
 * Returns a function that publishes changed rules, and then a changed robots.txt. It resolves to the new ETags, and
 * rejects if someone else has saved newer versions than the given ones.
 */
export function usePublishPolicy(id: string): (request: PublishRequest) => Promise<PolicyEtags> {
  const queryClient = useQueryClient();
  const params = { path: { id } };
  return async ({ before, after, etags, onReplaced }) => {
    let { rules } = etags;
    if (!isSameContent(before.rules, after.rules)) {
      const saved: Versioned<CurrentPolicy> = await versioned(
        client.PUT('/api/projects/{id}/policy', {
          params,
          body: { rules: after.rules, forecast_days: FORECAST_DAYS },
          ...ifMatch(rules),
        }),
      );
      // If robots.txt fails, the next attempt is still based on the replaced version.
      recordReplacement(rules, saved.etag);
      rules = saved.etag;
      onReplaced?.({ rules: before.rules });
      queryClient.setQueryData(policyQuery(id).queryKey, saved);
    }
    if (isSameContent(before.selection, after.selection)) return { rules, robots: etags.robots };
    const versions = rulesVersionsQuery(id).queryKey;
    let savedId: string;
    try {
      const saved = await data(
        client.POST('/api/projects/{id}/rules-versions', { params, body: after.selection, ...ifMatch(etags.robots) }),
      );
      savedId = saved.id;
      onReplaced?.({ selection: before.selection });
      queryClient.setQueryData(rulesVersionQuery(id, saved.id).queryKey, saved);
    } finally {
      await queryClient.invalidateQueries({ queryKey: versions, exact: true });
    }
    const list = queryClient.getQueryData(versions);
    // If someone else has already saved another version, the old ETag makes later changes conflict with it.
    return { rules, robots: list?.versions[0]?.id === savedId ? list.etag : etags.robots };
  };
}
