import type { CardTab } from '../ui/tabbed-card.js';
import { BarList, type BarListProps } from './bar-list.js';

/**
 * Returns a tab that shows a list.
 *
 * @param key Must not contain spaces, because it's part of an element ID.
 */
export const toListTab = (list: BarListProps, key: string): CardTab => ({
  key,
  label: list.title,
  content: <BarList isTitleHidden {...list} />,
});
