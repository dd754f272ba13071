import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { sessionQuery } from '../api/queries.js';
import { AgentMark } from '../ui/agent-mark.js';
import { Icon } from '../ui/icon.js';
import classes from './navigation.module.css';

const UserMenu = lazy(() => import('./user-menu.js'));

/** Signed-in user, with a menu for the account and signing out. */
export function UserButton() {
  const { data: session } = useQuery(sessionQuery);
  const [isOpen, { toggle, close }] = useDisclosure();
  const user = session?.user;
  if (!user) return null;
  return (
    <div className={classes['user']}>
      <button
        type="button"
        className={classes['link']}
        title={user.email}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <AgentMark name={user.name} operator={null} />
        <span className={classes['name']}>
          <span className="unseen">Account: </span>
          {user.name}
        </span>
        <Icon name="chevron" size={14} />
      </button>
      <Suspense>{isOpen && <UserMenu email={user.email} onClose={close} />}</Suspense>
    </div>
  );
}
