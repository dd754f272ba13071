import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { OwnApiKeys } from './api-keys.js';
import { Passkeys } from './passkeys.js';
import { Reports } from './reports.js';
import { SecondFactor } from './second-factor.js';
import { Sessions } from './sessions.js';
import type { OwnAccount } from '../../api/account-queries.js';

/** Sections below the profile and password. Scrolls to the section in the URL. */
export default function AccessSections({ account }: { account: OwnAccount }) {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [hash]);
  return (
    <>
      <SecondFactor account={account} />
      <Passkeys account={account} />
      <Sessions account={account} />
      <Reports email={account.user.email} />
      <OwnApiKeys isAdmin={account.user.is_admin} />
    </>
  );
}
