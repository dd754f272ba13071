import { TIMELINE_FILTERS } from '../api/timeline-filters.js';

/** In the order of the interface. */
export const AGENT_TYPES: string[] = [...TIMELINE_FILTERS.type.values];
