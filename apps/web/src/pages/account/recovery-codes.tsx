import { Text } from '@mantine/core';
import { OneTimeNotice } from '../../ui/one-time-notice.js';
import { Snippet } from '../../ui/snippet.js';

export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <OneTimeNotice title="Save your recovery codes">
    <Text size="sm">Each code signs you in once, without the app.</Text>
    <Snippet text={codes.join('\n')} what="the recovery codes" />
  </OneTimeNotice>
);
