import type { RulesSelection } from '../../../api/rules-queries.js';
import type { RobotsSearch } from './search.js';

type Preferences = Pick<RulesSelection, 'content_signal' | 'content_usage'>;

/** Uses of content. `key` is the purpose of a crawl, and both standards have their own names. */
export const PURPOSES = [
  { key: 'search', label: 'Search', what: 'Show pages in search results', signal: 'search', usage: 'search' },
  {
    key: 'user',
    label: 'AI answers',
    what: 'Answer questions with your pages',
    signal: 'ai_input',
    usage: 'ai_use',
  },
  { key: 'training', label: 'AI training', what: 'Train models on your pages', signal: 'ai_train', usage: 'train_ai' },
] as const;

export type Purpose = (typeof PURPOSES)[number];

export interface PurposeState {
  purpose: Purpose;
  /** Values in both standards. Undefined means not stated. */
  signal: boolean | undefined;
  usage: boolean | undefined;
  /** Value that applies. If both values differ, the stricter one. */
  isAllowed: boolean | undefined;
  isContradictory: boolean;
}

export function readPurposes({
  content_signal: signals = {},
  content_usage: usages = {},
}: Preferences): PurposeState[] {
  return PURPOSES.map((purpose) => {
    const [signal, usage] = [signals[purpose.signal], usages[purpose.usage]];
    const isContradictory = signal !== undefined && usage !== undefined && signal !== usage;
    return { purpose, signal, usage, isAllowed: isContradictory ? false : (signal ?? usage), isContradictory };
  });
}

/** Returns the change that sets a purpose in both standards. Undefined means not stated. */
export function setPurpose(
  { content_signal: signals, content_usage: usages }: Preferences,
  { signal, usage }: Purpose,
  isAllowed: boolean | undefined,
): Pick<RobotsSearch, 'content_signal' | 'content_usage'> {
  return {
    content_signal: withValue(signals, signal, isAllowed),
    content_usage: withValue(usages, usage, isAllowed),
  };
}

function withValue<T extends object>(values: T | undefined, name: string, isAllowed: boolean | undefined): T {
  const { [name]: _, ...others } = (values ?? {}) as Record<string, unknown>;
  return (isAllowed === undefined ? others : { ...others, [name]: isAllowed }) as T;
}
