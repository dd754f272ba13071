import { linkOptions } from '@tanstack/react-router';
import type { Filters } from '../pages/realtime/filters.js';
import type { Range } from './range.js';

/** Leads to the visits of a range that fit. */
export const listLink =
  (projectId: string, { from, to }: Range) =>
  (filters: Filters) =>
    linkOptions({ to: '/projects/$projectId/visits', params: { projectId }, search: { from, to, ...filters } });

/** Leads to an agent in a range. */
export const agentLink = (projectId: string, agentId: string, { from, to }: Range) =>
  linkOptions({
    to: '/projects/$projectId/agents/$agentId',
    params: { projectId, agentId },
    search: { from, to },
  });
