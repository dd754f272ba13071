import type { RuleFormat } from '../api/rules-queries.js';

/** Returns true if a format is a robots.txt file. */
export const isRobotsTxt = (format: RuleFormat): boolean => format === 'blocks' || format === 'grouped';
