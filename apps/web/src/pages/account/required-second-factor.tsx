import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { parseReturnPath } from '#libs/sign-in';
import { sessionQuery } from '../../api/queries.js';
import { IdentityConfirmation } from '../../shell/identity-confirmation.js';
import { PublicLayout } from '../../shell/public-layout.js';
import { useSignOut } from '../../shell/use-sign-out.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactorSetup } from './second-factor-setup.js';

const route = getRouteApi('/second-factor');

/** Setup page for users whose role requires a second factor. No other page is available until setup is complete. */
export function RequiredSecondFactor() {
  const { return_to: returnTo } = route.useSearch();
  const session = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const router = useRouter();
  const signOut = useSignOut();
  const [codes, setCodes] = useState<string[] | null>(null);
  const openDashboard = async (): Promise<void> => {
    queryClient.clear();
    await router.navigate({ to: parseReturnPath(returnTo) ?? '/projects', replace: true });
  };
  if (session.data?.second_factor_due === false && codes === null) return <Navigate to="/" replace />;
  return (
    <PublicLayout
      title="Two-factor authentication"
      lead="This instance requires it for your role. Set up an authenticator app to continue."
    >
      <IdentityConfirmation />
      {codes === null ? (
        <SecondFactorSetup onDone={async (recoveryCodes) => setCodes(recoveryCodes)} />
      ) : (
        <>
          <RecoveryCodes codes={codes} />
          <Group>
            <Button onClick={() => void openDashboard()}>Continue</Button>
          </Group>
        </>
      )}
      {codes === null && (
        <Text size="sm" c="dimmed">
          Not now?{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
            Sign out
          </Button>
        </Text>
      )}
    </PublicLayout>
  );
}
