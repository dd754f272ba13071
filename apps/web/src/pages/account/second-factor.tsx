import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ownAccountQuery, type OwnAccount } from '../../api/account-queries.js';
import { client, data } from '../../api/client.js';
import { sessionQuery } from '../../api/queries.js';
import { Confirm } from '../../ui/confirm.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { RecoveryCodes } from './recovery-codes.js';
import { ACCOUNT_SECTIONS } from './sections.js';
import { SecondFactorSetup } from './second-factor-setup.js';

function formatCodesLeft(codesLeft: number): string {
  if (codesLeft === 0) return 'No recovery codes left. Create new ones.';
  return `${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left.`;
}

type Dialog = 'codes' | 'removal' | null;

export function SecondFactor({ account }: { account: OwnAccount }) {
  const { second_factor: factor, has_password: hasPassword, provider } = account;
  const [openDialog, setOpenDialog] = useState<Dialog>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const oidc = useQuery(sessionQuery).data?.oidc ?? null;
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(ownAccountQuery);
  const replaceCodes = async (): Promise<void> => {
    setCodes((await data(client.POST('/api/account/second-factor/recovery-codes', { body: {} }))).recovery_codes);
    await refresh();
  };
  const remove = async (): Promise<void> => {
    await data(client.DELETE('/api/account/second-factor'));
    setCodes(null);
    await refresh();
  };
  return (
    <Section
      id="second-factor"
      title={ACCOUNT_SECTIONS['second-factor'].label}
      lead="Adds a code from an app on your phone to each sign-in, so a stolen password isn’t enough."
    >
      {!hasPassword && (
        <Text size="sm">You sign in with {provider ?? 'single sign-on'}, which may require its own second factor.</Text>
      )}
      {hasPassword && factor === null && (
        <SecondFactorSetup
          onDone={async (recoveryCodes) => {
            setCodes(recoveryCodes);
            await refresh();
          }}
        />
      )}
      {factor !== null && (
        <>
          <Text size="sm">
            On since <RelativeTime time={factor.since} />. {formatCodesLeft(factor.recovery_codes_left)}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => setOpenDialog('codes')}>
              Create new recovery codes
            </Button>
            <Button variant="default" c="var(--failed)" onClick={() => setOpenDialog('removal')}>
              Turn off
            </Button>
            {oidc !== null && provider === null && (
              <Button component="a" variant="default" href="/api/session/oidc?return_to=%2Faccount">
                Connect {oidc.name}
              </Button>
            )}
          </Group>
        </>
      )}
      {codes !== null && <RecoveryCodes codes={codes} />}
      {openDialog === 'codes' && (
        <Confirm
          title="Create new recovery codes?"
          label="Create new codes"
          action={replaceCodes}
          onClose={() => setOpenDialog(null)}
        >
          Your current codes will stop working.
        </Confirm>
      )}
      {openDialog === 'removal' && (
        <Confirm
          title="Turn off two-factor authentication?"
          label="Turn off"
          action={remove}
          onClose={() => setOpenDialog(null)}
        >
          You’ll only need your password to sign in. Your recovery codes will stop working.
        </Confirm>
      )}
    </Section>
  );
}
