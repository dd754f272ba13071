import { NavLink, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Dropdown } from '../ui/dropdown.js';
import { Icon } from '../ui/icon.js';
import { useSignOut } from './use-sign-out.js';

const EXACT_MATCH = { exact: true };

interface UserMenuProps {
  email: string;
  onClose: () => void;
}

/** Menu for the account and signing out. */
export default function UserMenu({ email, onClose }: UserMenuProps) {
  const signOut = useSignOut();
  return (
    <Dropdown label="Account" width={220} onClose={onClose}>
      <Text size="xs" c="dimmed" px="sm" pb={4}>
        {email}
      </Text>
      <NavLink
        component={Link}
        to="/account"
        activeOptions={EXACT_MATCH}
        label="Account"
        leftSection={<Icon name="user" size={16} />}
        onClick={onClose}
      />
      <NavLink
        component="button"
        label="Sign out"
        leftSection={<Icon name="leave" size={16} />}
        onClick={() => void signOut()}
      />
    </Dropdown>
  );
}
