import { Text } from '@mantine/core';
import { CopyNow } from '../../ui/copy-now.js';
import { Snippet } from '../../ui/snippet.js';

export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <CopyNow title="Save this list of recovery codes">
    <Text size="sm">Each signs you in once, without the app.</Text>
    <Snippet text={codes.join('\n')} what="the recovery codes" />
  </CopyNow>
);
