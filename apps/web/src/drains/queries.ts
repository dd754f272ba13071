import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { client, data, versioned, type Versioned } from '../api/client.js';
import { ifMatch, recordReplacement } from '../api/if-match.js';
import type { Drain, DrainMapping, DrainSettings, DrainSettingsChange } from '#libs/contracts';

export type { Drain, DrainMapping, DrainSettings, DrainSettingsChange };

/** Log drains that have sent data. */
export const drainsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'drains'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/drains', { params: { path: { id } } }))).drains,
    refetchInterval: 2_000,
  });

export const drainSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'drain settings'],
    queryFn: (): Promise<Versioned<DrainSettings>> =>
      versioned(client.GET('/api/projects/{id}/drain-settings', { params: { path: { id } } })),
  });

type UpdateDrainSettings = (change: DrainSettingsChange, etag: string | null) => Promise<Versioned<DrainSettings>>;

/**
 * Returns a function that saves drain settings. It rejects if someone else has changed them since the ETag's version.
 */
export function useUpdateDrainSettings(id: string): UpdateDrainSettings {
  const queryClient = useQueryClient();
  return async (change, etag) => {
    const params = { path: { id } };
    const settings: Versioned<DrainSettings> = await versioned(
      client.PATCH('/api/projects/{id}/drain-settings', { params, body: change, ...ifMatch(etag) }),
    );
    recordReplacement(etag, settings.etag);
    queryClient.setQueryData(drainSettingsQuery(id).queryKey, settings);
    return settings;
  };
}
