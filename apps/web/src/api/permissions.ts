import { queryOptions } from '@tanstack/react-query';
import type { PermissionMatrixItem, Permissions, PermissionStatement } from '#libs/contracts';
import { client, data } from './client.js';

export type { PermissionMatrixItem, Permissions, PermissionStatement };

const DAY_MS = 86_400_000;
/** Days whose versions and visits are compared. */
export const PERMISSION_DAYS = 30;

/** @param host Null selects the project's first host. */
export const permissionsQuery = (id: string, host: string | null) =>
  queryOptions({
    queryKey: ['projects', id, 'permissions', host],
    queryFn: () => {
      const from = new Date(Date.now() - PERMISSION_DAYS * DAY_MS).toISOString();
      return data(
        client.GET('/api/projects/{id}/permissions', {
          params: { path: { id }, query: { from, ...(host !== null && { host }) } },
        }),
      );
    },
  });
