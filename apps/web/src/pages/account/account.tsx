import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ownAccountQuery } from '../../api/account-queries.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { SideNavigation } from '../../ui/side-navigation.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Password } from './password.js';
import { Profile } from './profile.js';
import { ACCOUNT_SECTIONS } from './sections.js';

const AccessSections = lazy(() => import('./access-sections.js'));

const ITEMS = Object.entries(ACCOUNT_SECTIONS).map(([key, { label }]) => ({ key, label, hash: key }));

export function Account() {
  usePageTitle('Account');
  const hash = useLocation({ select: (location) => location.hash });
  const account = useQuery(ownAccountQuery);
  return (
    <Stack>
      <PageHeader
        title="Account"
        lead={account.data && `${account.data.user.email}${account.data.user.is_admin ? ' · Administrator' : ''}`}
      />
      {account.isPending && <CardSkeleton rows={6} />}
      {account.isError && (
        <Failure error={account.error} title="Couldn't load your account" retry={() => void account.refetch()} />
      )}
      {account.data && (
        <SideNavigation label="Account" items={ITEMS} current={hash in ACCOUNT_SECTIONS ? hash : 'profile'}>
          <Profile account={account.data} />
          <Password account={account.data} />
          <Suspense fallback={<Skeleton h={900} animate={false} />}>
            <AccessSections account={account.data} />
          </Suspense>
        </SideNavigation>
      )}
    </Stack>
  );
}
