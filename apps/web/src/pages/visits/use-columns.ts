import { useLocalStorage } from '@mantine/hooks';
import { DEFAULT_COLUMNS, readColumns, type ColumnName } from '../../visit-table/visit-columns.js';
import { columnsText } from './search.js';

const KEY = 'agent-traffic-visit-columns';

/** Returns the columns of the address, else those that this browser remembers; and what remembers others. */
export function useColumns(
  address: string | undefined,
): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  const [remembered, remember] = useLocalStorage({ key: KEY, defaultValue: '', getInitialValueInEffect: false });
  const columns = readColumns(address) ?? readColumns(remembered) ?? DEFAULT_COLUMNS;
  return [columns, (chosen) => remember(columnsText(chosen))];
}
