import type { Referrals } from '../../api/statistics.js';
import type { Column, Sort } from '../../ui/sorting.js';

export type AssistantRow = Referrals['assistants'][number] & { series: readonly number[] };
export type PageRow = Referrals['pages'][number];
export type OperatorRow = Referrals['operators'][number];

/** What stands for everything that is not listed by itself. */
export const OTHERS = 'All others';

export const assistantsText = ({ assistants }: PageRow): string =>
  assistants.map(({ assistant, visits }) => `${assistant} ${visits}`).join(', ');

const BEFORE = { key: 'previous', label: 'In the period compared with', isOnlyExported: true } as const;

export const ASSISTANT_COLUMNS: readonly Column<AssistantRow>[] = [
  { key: 'assistant', label: 'Assistant', value: ({ assistant }) => assistant || OTHERS },
  { key: 'operator', label: 'Operator', value: ({ operator_name: operator }) => operator },
  { key: 'people', label: 'People sent', isNumber: true, value: ({ visits }) => visits },
  { ...BEFORE, value: ({ previous_visits: visits }) => visits },
  { key: 'trend', label: 'Trend' },
];

export const PAGE_COLUMNS: readonly Column<PageRow>[] = [
  { key: 'page', label: 'Page', value: ({ path }) => path || OTHERS },
  { key: 'people', label: 'People sent', isNumber: true, value: ({ visits }) => visits },
  { key: 'assistants', label: 'By', isFixed: true, value: assistantsText },
];

export const OPERATOR_COLUMNS: readonly Column<OperatorRow>[] = [
  { key: 'operator', label: 'Operator', value: ({ operator_name: operator }) => operator },
  { key: 'pages', label: 'Pages fetched', isNumber: true, value: ({ pages_fetched: pages }) => pages },
  {
    ...BEFORE,
    label: 'Pages fetched in the period compared with',
    value: ({ previous_pages_fetched: pages }) => pages,
  },
  { key: 'training', label: 'Training', isNumber: true, value: ({ by_purpose: by }) => by.training },
  { key: 'search', label: 'Search', isNumber: true, value: ({ by_purpose: by }) => by.search },
  { key: 'user', label: 'For users', isNumber: true, value: ({ by_purpose: by }) => by.user },
  { key: 'other', label: 'Other', isNumber: true, value: ({ by_purpose: by }) => by.other },
  { key: 'people', label: 'People sent', isNumber: true, value: ({ referrals }) => referrals },
  {
    key: 'previous_people',
    label: 'People sent in the period compared with',
    isOnlyExported: true,
    value: ({ previous_referrals: people }) => people,
  },
  {
    key: 'ratio',
    label: 'Crawl to referral',
    isNumber: true,
    // Where nobody was sent there is no number; both counts stand beside it.
    value: ({ pages_fetched: pages, referrals: people }) =>
      people === 0 ? null : Math.round((100 * pages) / people) / 100,
  },
];

export const BY_PEOPLE: Sort = { key: 'people', direction: 'descending' };
export const BY_PAGES: Sort = { key: 'pages', direction: 'descending' };
