import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client, data } from '../api/client.js';
import { Failure } from '../ui/failure.js';
import { toPasskeyError } from '../ui/passkeys.js';

export function PasskeySignIn({ onDone }: { onDone: () => Promise<unknown> }) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await data(client.POST('/api/session/passkey/options', { body: {} }));
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const credential = await startAuthentication({ optionsJSON: options as never }).catch((error: unknown) => {
        throw toPasskeyError(error);
      });
      await data(client.POST('/api/session/passkey', { body: { credential } }));
      await onDone();
    },
  });
  return (
    <>
      <Button variant="default" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
      {signIn.isError && <Failure error={signIn.error} />}
    </>
  );
}
