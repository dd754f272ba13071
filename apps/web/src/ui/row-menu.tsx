import { ActionIcon, NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Icon } from './icon.js';

const Dropdown = lazy(() => import('./dropdown.js').then((module) => ({ default: module.Dropdown })));

interface MenuAction {
  label: string;
  onClick: () => void;
  isDisabled?: boolean;
  /** True for actions that remove something. */
  isDangerous?: boolean;
}

interface RowMenuProps {
  /** Name of the row, for screen readers. */
  name: string;
  actions: readonly MenuAction[];
}

/** Button at the end of a row that opens a menu with the row's actions. */
export function RowMenu({ name, actions }: RowMenuProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const label = `Actions for ${name}`;
  return (
    <div style={{ position: 'relative' }}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Icon name="more" />
      </ActionIcon>
      <Suspense>
        {isOpen && (
          <Dropdown label={label} width={180} onClose={close}>
            {actions.map((action) => (
              <NavLink
                key={action.label}
                component="button"
                type="button"
                label={action.label}
                disabled={action.isDisabled ?? false}
                // Doesn't use the native attribute, because disabled buttons can't be reached with the arrow keys.
                aria-disabled={action.isDisabled || undefined}
                c={action.isDangerous ? 'var(--failed)' : undefined}
                onClick={() => {
                  if (action.isDisabled) return;
                  close();
                  action.onClick();
                }}
              />
            ))}
          </Dropdown>
        )}
      </Suspense>
    </div>
  );
}
