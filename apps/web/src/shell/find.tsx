import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../ui/icon.js';
import { toEdit } from './early-keys.js';
import { FIND_EVENT, FIND_SHORTCUT, isApple } from './find-shortcut.js';
import type { NavigationPage } from './project-pages.js';
import classes from './shell.module.css';

const loadPalette = () => import('../palette/palette.js');
const Palette = lazy(loadPalette);
/** Delay before the palette is preloaded, so it doesn't compete with the page's own data. */
const PRELOAD_DELAY_MS = 2_000;

interface FindProps {
  pages: readonly NavigationPage[];
  projectId: string | undefined;
}

/** Button and shortcut that open the palette. */
export function Find({ pages, projectId }: FindProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [query, setQuery] = useState('');
  // The empty list of ignored elements enables the shortcut in input fields, too.
  useHotkeys([['mod+K', open]], []);
  useWindowEvent(FIND_EVENT as keyof WindowEventMap, open);
  useEffect(() => {
    // A failed preload is retried when the palette opens.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    // Until the palette's field has the focus, apply keys here, so none is lost while the palette loads.
    const collect = (event: KeyboardEvent): void => {
      const { activeElement } = document;
      if (activeElement?.role === 'combobox' && activeElement.ariaLabel === 'Find') return;
      const edit = toEdit(event);
      // Enter would click the button that has the focus.
      if (edit === null && event.key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
      if (edit !== null) setQuery(edit);
    };
    window.addEventListener('keydown', collect, true);
    return () => window.removeEventListener('keydown', collect, true);
  }, [isOpen]);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="find" size={14} />}
        rightSection={<span className={classes['keys']}>{FIND_SHORTCUT}</span>}
        title="Find pages, projects, agents and visits"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={open}
        visibleFrom="sm"
      >
        Find
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        size="lg"
        aria-label="Find"
        title="Find"
        onClick={open}
        hiddenFrom="sm"
      >
        <Icon name="find" />
      </ActionIcon>
      <Suspense>
        {isOpen && (
          <Palette
            pages={pages}
            projectId={projectId}
            query={query}
            onQuery={setQuery}
            onClose={() => {
              close();
              setQuery('');
            }}
          />
        )}
      </Suspense>
    </>
  );
}
