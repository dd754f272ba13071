import { Card } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { CardHeader, createCardHeaderSlot } from './card-header.js';
import { getTabByKey } from './tab-keys.js';
import classes from './tabbed-card.module.css';

export interface CardTab {
  /** Value of the search parameter. */
  key: string;
  label: string;
  /** Dimmed number after the label. */
  count?: string;
  content: ReactNode;
  /** Controls at the right of the header while this tab is selected. */
  actions?: ReactNode;
}

interface TabbedCardProps {
  /** Name of the card for screen readers. */
  label: string;
  tabs: readonly CardTab[];
  /**
   * Search parameter that stores the selected tab. The route's search parser must accept it. By default, the card
   * keeps the tab itself.
   */
  param?: string;
  /** Controls at the right of the header. */
  actions?: ReactNode;
  /** URL fragment that links to this card. */
  id?: string;
}

/** Card with tabs in its header. Renders only the selected tab's content, with its first table's tools in the header. */
export function TabbedCard({ label, tabs, param, actions, id }: TabbedCardProps) {
  const cardId = useId();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const header = useMemo(() => slot && createCardHeaderSlot(slot), [slot]);
  const [selected, select] = useSelectedTab(tabs, param);
  const tab = tabs.find(({ key }) => key === selected) ?? tabs[0];
  if (tab === undefined) return null;
  const toTabId = (key: string): string => `${cardId}-${key}`;
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const keys = tabs.map(({ key }) => key);
    const next = getTabByKey(event, keys, tab.key);
    if (next === null) return;
    event.preventDefault();
    select(next);
    document.getElementById(toTabId(next))?.focus();
  };
  return (
    <Card withBorder component="section" aria-label={label} {...(id !== undefined && { id })}>
      <h2 className="unseen">{label}</h2>
      <div className={classes['head']}>
        <div role="tablist" aria-label={label} className={classes['tabs']} onKeyDown={move}>
          {tabs.map(({ key, label: text, count }) => (
            <button
              key={key}
              type="button"
              role="tab"
              id={toTabId(key)}
              className={classes['tab']}
              aria-selected={key === tab.key}
              aria-controls={key === tab.key ? `${cardId}-panel` : undefined}
              tabIndex={key === tab.key ? 0 : -1}
              onClick={() => select(key)}
            >
              {text}
              {count !== undefined && <span className={classes['count']}> {count}</span>}
            </button>
          ))}
        </div>
        <div className={classes['actions']}>
          {tab.actions}
          <div ref={setSlot} className={classes['slot']} />
          {actions}
        </div>
      </div>
      <div role="tabpanel" id={`${cardId}-panel`} aria-label={tab.label} className={classes['panel']}>
        <CardHeader value={header}>{tab.content}</CardHeader>
      </div>
    </Card>
  );
}

/** Returns the key of the selected tab, and a function that selects another one. The first tab isn't in the URL. */
function useSelectedTab(tabs: readonly CardTab[], param?: string): [string | undefined, (key: string) => void] {
  const [local, setLocal] = useState<string | undefined>();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  if (param === undefined) return [local, setLocal];
  const select = (key: string): void =>
    void navigate({
      to: '.',
      search: ((now: object) => ({ ...now, [param]: key === tabs[0]?.key ? undefined : key })) as never,
      replace: true,
      resetScroll: false,
    });
  return [search[param] as string | undefined, select];
}
