import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { complianceQuery } from '../../api/compliance.js';

/** Number of days that the policy page counts visits in. */
export const DAYS = 30;
const HOUR_MS = 3_600_000;

/** Queries the agents that visited in the last 30 days. */
export function useRecentAgents(projectId: string) {
  const [range] = useState(() => {
    const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    return { from: new Date(to - DAYS * 24 * HOUR_MS).toISOString(), to: new Date(to).toISOString() };
  });
  return { range, query: useQuery(complianceQuery(projectId, range)) };
}
