import { Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { alertsQuery, type NewAlert } from '../api/alerts.js';
import { toErrorMessage, type Project } from '../api/client.js';
import { notify } from '../notices/notices.js';
import { Icon } from '../ui/icon.js';
import { TextLink } from '../ui/text-link.js';
import { formatCondition } from './alert-condition.js';
import { addAlert, alertLink, createAlertSettings, findSameAlert } from './add-alert.js';

interface AlertButtonProps {
  project: Project;
  kind: NewAlert['kind'];
  /** Completes "Alert me …". */
  cause: string;
}

/** Button that adds an alert, or a link to the alert if the project has it, with its condition. Only owners see it. */
export function AlertButton({ project, kind, cause }: AlertButtonProps) {
  const queryClient = useQueryClient();
  const isOwner = (project.role ?? 'owner') === 'owner';
  const { data, isError } = useQuery({ ...alertsQuery(project.id), enabled: isOwner });
  const alert = createAlertSettings(kind, null);
  const add = useMutation({
    mutationFn: () => addAlert(queryClient, project.id, { alert, text: `Alert added. It fires ${cause}.` }),
    onError: (error) => notify({ text: `Couldn’t add the alert. ${toErrorMessage(error)}` }),
  });
  if (!isOwner || isError) return null;
  if (data === undefined) return <Skeleton h={{ base: 54, xs: 26 }} w={420} animate={false} />;
  const existing = findSameAlert(data.alerts, alert);
  const kindInfo = data.kinds.find((info) => info.kind === kind);
  return (
    <>
      {existing === undefined ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={add.isPending}
          leftSection={<Icon name="bell" size={14} />}
          onClick={() => add.mutate()}
        >
          Alert me {cause}
        </Button>
      ) : (
        <TextLink {...alertLink(project.id, existing)} size="sm">
          You’re alerted {cause}
        </TextLink>
      )}
      {kindInfo !== undefined && (
        <Text size="xs" c="dimmed">
          At {formatCondition(kindInfo, existing ?? { ...kindInfo.defaults, ...alert })}
        </Text>
      )}
    </>
  );
}
