import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';

const PURPOSES = new Map<string | null, CrawlPurpose>(
  (Object.keys(CRAWL_PURPOSES) as CrawlPurpose[]).flatMap((purpose) =>
    CRAWL_PURPOSES[purpose].types.map((type) => [type, purpose] as const),
  ),
);

/** Returns the purpose for which agents of a type fetch pages. */
export const getPurpose = (agentType: string | null): CrawlPurpose | 'other' => PURPOSES.get(agentType) ?? 'other';
