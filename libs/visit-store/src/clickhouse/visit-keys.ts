import type { BindTyped } from '../timeline-filters.js';
import { daysOf } from './visit-ids.js';

export interface VisitKey {
  id: string;
  /** Time of the visit, in milliseconds since the epoch. */
  occurred_at: number;
}

/** Returns conditions that select a project's visits by their keys, using the partitions and the primary index. */
export const toKeyConditions = (keys: readonly VisitKey[], bind: BindTyped): string[] => [
  `day IN ${bind(daysOf(keys.map(({ id }) => id)), 'Array(Date)')}`,
  `occurred_at IN ${bind([...new Set(keys.map(({ occurred_at: time }) => time))], 'Array(Int64)')}`,
  `id IN ${bind(
    keys.map(({ id }) => id),
    'Array(UUID)',
  )}`,
];
