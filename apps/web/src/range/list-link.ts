import { linkOptions } from '@tanstack/react-router';
import type { Filters } from '../pages/realtime/filters.js';
import type { Range } from './range.js';

/** Leads to the visits of a range that fit. */
export const listLink =
  (projectId: string, { from, to }: Range) =>
  (filters: Filters) =>
    linkOptions({ to: '/projects/$projectId/realtime', params: { projectId }, search: { from, to, ...filters } });
