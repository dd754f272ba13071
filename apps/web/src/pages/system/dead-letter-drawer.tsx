import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { deadLetterQuery } from '../../api/system-queries.js';
import { formatBytes } from '../../format/bytes.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Failure } from '../../ui/failure.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { DescriptionList } from '../../ui/description-list.js';
import { decodeBytes } from './decode-bytes.js';

export interface DeadLetterDrawerProps {
  id: string;
  onClose: () => void;
  replay: (id: string) => Promise<unknown>;
}

export default function DeadLetterDrawer({ id, onClose, replay }: DeadLetterDrawerProps) {
  const { data: letter, isPending, isError, error } = useQuery(deadLetterQuery(id));
  const replaying = useMutation({ mutationFn: () => replay(id), onSuccess: onClose });
  const body = letter && decodeBytes(letter.value_base64);
  return (
    <SideDrawer title="Failed visit" onClose={onClose}>
      {isPending && <Loader size="sm" />}
      {isError && <Failure error={error} title="Couldn’t load this failed visit" />}
      {letter && body && (
        <Stack gap="md">
          <DescriptionList
            facts={[
              ['Reason', letter.reason.replaceAll('_', ' ')],
              ['Detail', letter.detail],
              ['Failed step', letter.step],
              ['Failed at', <time key="failed">{letter.failed_at}</time>],
              ['Replayed at', letter.replayed_at],
              ['Topic', letter.topic],
              ['Partition', letter.partition],
              ['Offset', letter.offset],
              ['Key', letter.key],
              ['Size', formatBytes(letter.size)],
            ]}
          />
          {Object.keys(letter.headers).length > 0 && (
            <div>
              <Text size="sm" fw={500}>
                Headers
              </Text>
              <DescriptionList facts={Object.entries(letter.headers)} />
            </div>
          )}
          <div>
            <Text size="sm" fw={500} mb={2}>
              {body.isText ? 'Bytes as text' : 'Bytes as hexadecimal (not text)'}
            </Text>
            <Code
              block
              tabIndex={0}
              role="region"
              aria-label="Bytes"
              style={{ maxHeight: '24rem', overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            >
              {body.text}
            </Code>
            {body.isTruncated && (
              <Text size="xs" c="dimmed">
                Only the beginning is shown. Copy it to get the full content.
              </Text>
            )}
          </div>
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              loading={replaying.isPending}
              onClick={() => replaying.mutate()}
            >
              Replay
            </Button>
            <CopyButton text={letter.value_base64} what="the bytes as base64" label="Copy as base64" />
          </Group>
          {replaying.isError && <Failure error={replaying.error} title="Couldn’t replay this visit" />}
        </Stack>
      )}
    </SideDrawer>
  );
}
