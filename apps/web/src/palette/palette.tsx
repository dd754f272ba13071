import { Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AgentMark } from '../ui/agent-mark.js';
import { Icon } from '../ui/icon.js';
import { useReturnFocus } from '../ui/use-return-focus.js';
import { groupBySection, findEntries, type Entry } from './entries.js';
import classes from './palette.module.css';
import type { NavigationPage } from '../shell/project-pages.js';
import { useEntries } from './use-entries.js';
import { usePaletteSearch } from './use-palette-search.js';

const LIST_ID = 'found';
const DEBOUNCE_MS = 150;
/** Maximum number of entries per section while the query is empty. */
const MAX_SUGGESTIONS = 8;
const SUGGESTED_SECTIONS: ReadonlySet<string> = new Set(['Pages', 'Saved filters', 'Projects']);
const SEARCH_HINT =
  'Type the name of a page, setting, project, agent or saved filter, or paste a visit ID or client address.';

const [store, palette] = createSpotlight();

export interface PaletteProps {
  pages: readonly NavigationPage[];
  /** Current project. */
  projectId: string | undefined;
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
}

/** Command palette for finding pages, settings, projects, agents, saved filters, visits and addresses. */
export default function Palette({ pages, projectId, query, onQuery, onClose }: PaletteProps) {
  useReturnFocus();
  const [debouncedQuery] = useDebouncedValue(query.trim(), DEBOUNCE_MS);
  const { entries, scope } = useEntries(pages, projectId);
  const { meant, agents, isLoading, fault } = usePaletteSearch(debouncedQuery, scope);
  const navigate = useNavigate();
  const isTyped = query.trim() !== '';
  const sections = groupBySection(
    isTyped ? [...meant, ...findEntries(entries, query), ...agents] : suggestions(entries),
  );
  const results = sections.flatMap(([, items]) => items);
  const elementId = (entry: Entry): string => `found-${results.indexOf(entry)}`;
  useEffect(() => palette.open(), []);
  const selected = useSelected(results.length, isTyped);
  const open = ({ to, search = {}, hash, isExternal: isElsewhere }: Entry): void => {
    if (isElsewhere) location.assign(to);
    else void navigate({ to, search: search as never, ...(hash !== undefined && { hash }) });
  };
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={onQuery}
      transitionProps={{ duration: 0, onExited: onClose }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.5 }}
      returnFocus={false}
      attributes={{ content: { 'aria-label': 'Find' } }}
    >
      <Spotlight.Search
        placeholder="Find pages, projects, agents, settings, visits"
        leftSection={<Icon name="find" />}
        rightSection={isTyped && isLoading ? <Loader size="xs" /> : null}
        role="combobox"
        aria-label="Find"
        aria-expanded={results.length > 0}
        aria-controls={results.length > 0 ? LIST_ID : undefined}
        aria-activedescendant={selected}
        aria-autocomplete="list"
      />
      {!isTyped && (
        <Text size="sm" c="dimmed" className={classes['note']}>
          {SEARCH_HINT}
        </Text>
      )}
      {results.length > 0 && (
        <Spotlight.ActionsList id={LIST_ID} role="listbox" aria-label="Results">
          {sections.map(([section, items]) => (
            <Spotlight.ActionsGroup key={section} role="group" aria-label={section} label={section}>
              {items.map((entry) => (
                <Spotlight.Action
                  key={entry.id}
                  // Spotlight drops the `id` prop.
                  renderRoot={(props: object) => <button {...props} id={elementId(entry)} />}
                  role="option"
                  aria-selected={selected === elementId(entry)}
                  label={entry.label}
                  description={entry.description ?? ''}
                  leftSection={entry.mark ? <AgentMark {...entry.mark} /> : <Icon name={entry.icon} />}
                  dimmedSections={false}
                  className={classes['action'] ?? ''}
                  onClick={() => open(entry)}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      )}
      <div aria-live="polite">
        {isTyped && results.length === 0 && query.trim() === debouncedQuery && !isLoading && (
          <Spotlight.Empty className={classes['note'] ?? ''}>
            <Text size="sm">{fault ?? `No results for “${query.trim()}”.`}</Text>
            {fault === null && (
              <Text size="sm" c="dimmed" mt={4}>
                {SEARCH_HINT}
              </Text>
            )}
          </Spotlight.Empty>
        )}
      </div>
    </Spotlight.Root>
  );
}

const suggestions = (entries: readonly Entry[]): Entry[] =>
  groupBySection(entries)
    .filter(([section]) => SUGGESTED_SECTIONS.has(section))
    .flatMap(([, items]) => items.slice(0, MAX_SUGGESTIONS));

/**
 * Returns the element ID of the selected entry, which Spotlight exposes only in the DOM. Selects the first result if no
 * result is selected.
 */
function useSelected(count: number, isTyped: boolean): string | undefined {
  const [selected, setSelected] = useState<string>();
  useEffect(() => {
    const list = document.getElementById(LIST_ID);
    if (list === null) {
      setSelected(undefined);
      return undefined;
    }
    const marked = (): Element | null => list.querySelector('[data-selected]');
    if (isTyped && marked() === null) {
      list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
      store.updateState((state) => ({ ...state, selected: 0 }));
    }
    const read = (): void => setSelected(marked()?.id);
    const observer = new MutationObserver(read);
    observer.observe(list, { subtree: true, childList: true, attributeFilter: ['data-selected', 'id'] });
    read();
    return () => observer.disconnect();
  }, [count, isTyped]);
  return selected;
}
