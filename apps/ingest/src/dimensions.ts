import type { EnrichedVisit } from '#libs/contracts';

/** What a visit is counted by beside its agent, page and status: the name of a dimension, and the value in it. */
export type Dimension = readonly [name: string, value: string];

/** One for each report. Their visits are counted where these are stored, and summed up by day. */
const REPORTS: readonly ((visit: EnrichedVisit) => readonly Dimension[])[] = [];

/** Returns what a visit is counted by. */
export const dimensionsOf = (visit: EnrichedVisit): Dimension[] => REPORTS.flatMap((report) => report(visit));
