import { Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ownAccountQuery } from '../../api/account-queries.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { OwnApiKeys } from './api-keys.js';
import { Password } from './password.js';
import { Passkeys } from './passkeys.js';
import { Profile } from './profile.js';
import { Reports } from './reports.js';
import { SecondFactor } from './second-factor.js';
import { Sessions } from './sessions.js';

export function Account() {
  usePageTitle('Account');
  const account = useQuery(ownAccountQuery);
  const { hash } = useLocation();
  const isLoaded = account.isSuccess;
  useEffect(() => {
    if (isLoaded && hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [isLoaded, hash]);
  return (
    <Stack maw={640}>
      <div>
        <Title order={1}>Account</Title>
        <Text c="dimmed" size="sm">
          {account.data &&
            `${account.data.user.name}, ${account.data.user.email}${account.data.user.is_admin ? ', administrator' : ''}`}
        </Text>
      </div>
      {account.isPending && <Loader size="sm" />}
      {account.isError && (
        <Failure error={account.error} title="Couldn't load your account" retry={() => void account.refetch()} />
      )}
      {account.data && (
        <>
          <Profile account={account.data} />
          <Password account={account.data} />
          <SecondFactor account={account.data} />
          <Passkeys account={account.data} />
          <Sessions account={account.data} />
          <Reports email={account.data.user.email} />
          <OwnApiKeys isAdmin={account.data.user.is_admin} />
        </>
      )}
    </Stack>
  );
}
