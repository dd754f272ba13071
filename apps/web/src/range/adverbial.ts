import { PRESET_TEXTS } from './range.js';

/**
 * Returns the name of the comparison range as an adverbial, such as "in the 24 hours before" or "yesterday up to the
 * same time".
 */
export const toAdverbial = (before: string): string =>
  before.startsWith('the ') && before !== PRESET_TEXTS.yesterday.before ? `in ${before}` : before;
