import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Project } from '../api/client.js';
import { projectQuery } from '../api/queries.js';
import { usePageTitle } from '../ui/use-page-title.js';
import type { RangeSearch } from './range.js';
import { useRange, type ShownRange } from './use-range.js';

interface RangeRoute<S extends RangeSearch> {
  useParams: () => { projectId: string };
  useSearch: () => S;
}

interface RangePageState<S extends RangeSearch> {
  project: Project;
  projectId: string;
  search: S;
  shown: ShownRange;
  /** Changes search parameters. @param replace Replaces the current history entry instead of adding one. */
  change: (to: Partial<S>, replace?: boolean) => void;
  /** Props for `RangePage`. */
  head: {
    title: string;
    projectId: string;
    search: S;
    shown: ShownRange;
    onChange: (change: Partial<RangeSearch>) => void;
  };
}

/** Returns the project, search parameters and range for a page, and sets the window title. */
export function useRangePage<S extends RangeSearch>(title: string, route: RangeRoute<S>): RangePageState<S> {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle(title, project.name);
  const shown = useRange(projectId, search);
  const change = (to: Partial<S>, replace = false): void =>
    void navigate({ to: '.', search: ((now: S) => ({ ...now, ...to })) as never, replace, resetScroll: false });
  const onChange = (to: Partial<RangeSearch>): void => change(to as Partial<S>);
  return { project, projectId, search, shown, change, head: { title, projectId, search, shown, onChange } };
}
