import { lazy } from 'react';
import type { Visit } from '../api/client.js';
import { AddFilterButton } from './add-filter-button.js';
import type { FilterName, FilterValue } from './filter-set.js';

const AddFilterPanel = lazy(() => import('./add-filter-panel.js'));

interface AddFilterProps {
  /** Filters to offer. The first one is selected when the panel opens. */
  names: readonly FilterName[];
  /** Visits on the page, used to suggest values. */
  visits: readonly Visit[];
  onAdd: (filter: FilterValue) => void;
}

/** Button that opens a panel to add a filter of visits. */
export const AddFilter = ({ names, visits, onAdd }: AddFilterProps) => (
  <AddFilterButton>
    {(close) => (
      <AddFilterPanel
        names={names}
        visits={visits}
        onAdd={(filter) => {
          close();
          onAdd(filter);
        }}
        onClose={close}
      />
    )}
  </AddFilterButton>
);
