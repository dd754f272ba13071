import { Loader, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Icon } from '../ui/icon.js';
import { useReturnFocus } from '../ui/return-focus.js';
import { bySection, findEntries, type Entry } from './entries.js';
import classes from './palette.module.css';
import { useEntries, type NavigationPage } from './use-entries.js';
import { useFound } from './use-found.js';

const LIST = 'found';
const TYPING_MS = 150;
/** Maximum number of entries per section before anything is typed. */
const MAX_UNTYPED = 8;
const UNTYPED_SECTIONS: ReadonlySet<string> = new Set(['Pages', 'Saved filters', 'Projects']);
const WHAT =
  'Type the name of a page, setting, project, agent or saved filter, or paste the ID of a visit or a client address.';

const [store, palette] = createSpotlight();

export interface PaletteProps {
  pages: readonly NavigationPage[];
  onClose: () => void;
}

/** Dialog to find pages, settings, projects, agents, saved filters, visits and addresses. */
export default function Palette({ pages, onClose }: PaletteProps) {
  useReturnFocus();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), TYPING_MS);
  const { entries, scope } = useEntries(pages);
  const { meant, agents, isLoading, fault } = useFound(asked, scope);
  const navigate = useNavigate();
  const isTyped = query.trim() !== '';
  const sections = bySection(isTyped ? [...meant, ...findEntries(entries, query), ...agents] : untyped(entries));
  const found = sections.flatMap(([, items]) => items);
  const idOf = (entry: Entry): string => `found-${found.indexOf(entry)}`;
  useEffect(() => palette.open(), []);
  const selected = useSelected(found.length, isTyped);
  const open = ({ to, search = {}, hash, isElsewhere }: Entry): void => {
    if (isElsewhere) location.assign(to);
    else void navigate({ to, search: search as never, ...(hash !== undefined && { hash }) });
  };
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
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
        aria-expanded={found.length > 0}
        aria-controls={found.length > 0 ? LIST : undefined}
        aria-activedescendant={selected}
        aria-autocomplete="list"
      />
      {!isTyped && (
        <Text size="sm" c="dimmed" className={classes['note']}>
          {WHAT}
        </Text>
      )}
      {found.length > 0 && (
        <Spotlight.ActionsList id={LIST} role="listbox" aria-label="Found">
          {sections.map(([section, items]) => (
            <Spotlight.ActionsGroup key={section} role="group" aria-label={section} label={section}>
              {items.map((entry) => (
                <Spotlight.Action
                  key={entry.id}
                  // Spotlight drops the `id` property.
                  renderRoot={(props: object) => <button {...props} id={idOf(entry)} />}
                  role="option"
                  aria-selected={selected === idOf(entry)}
                  label={entry.label}
                  description={entry.description ?? ''}
                  leftSection={<Icon name={entry.icon} />}
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
        {isTyped && found.length === 0 && query.trim() === asked && !isLoading && (
          <Spotlight.Empty className={classes['note'] ?? ''}>
            <Text size="sm">{fault ?? `Nothing found for “${query.trim()}”.`}</Text>
            {fault === null && (
              <Text size="sm" c="dimmed" mt={4}>
                {WHAT}
              </Text>
            )}
          </Spotlight.Empty>
        )}
      </div>
    </Spotlight.Root>
  );
}

const untyped = (entries: readonly Entry[]): Entry[] =>
  bySection(entries)
    .filter(([section]) => UNTYPED_SECTIONS.has(section))
    .flatMap(([, items]) => items.slice(0, MAX_UNTYPED));

/**
 * Returns the element ID of the selected entry, which Spotlight only marks in the DOM. If results arrive and none is
 * selected, selects the first.
 */
function useSelected(count: number, isTyped: boolean): string | undefined {
  const [selected, setSelected] = useState<string>();
  useEffect(() => {
    const list = document.getElementById(LIST);
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
