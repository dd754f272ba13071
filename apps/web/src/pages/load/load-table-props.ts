import type { Project } from '../../api/client.js';
import type { FilterSet } from '../../filters/filter-set.js';
import type { PageFilters } from '../../filters/use-page-filters.js';
import type { PeopleSent } from '../../load/people-sent.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import type { LoadTab, Measure } from './search.js';

export interface LoadTableProps {
  by: LoadTab;
  project: Project;
  shown: ShownRange;
  linked: LinkedRange;
  /** Filters of the visits that the page counts. */
  counted: FilterSet;
  filters: PageFilters;
  people: PeopleSent | null;
  /** Measure that the rows are ranked by. */
  measure: Measure;
}
