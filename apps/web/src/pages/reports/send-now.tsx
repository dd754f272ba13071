import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, data, toErrorMessage, type Project } from '../../api/client.js';
import { projectReportKey, type ProjectReport, type ReportPeriod, type ReportRange } from '../../api/reports.js';
import { notify } from '../../notices/notices.js';

interface SendNowProps {
  project: Project;
  report: ProjectReport;
  period: ReportPeriod | undefined;
  /** Custom period, which replaces `period`. */
  range: ReportRange | undefined;
}

/** Buttons that send the report for the selected period, outside the schedule. */
export function SendNow({ project: { id }, report, period, range }: SendNowProps) {
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: (to: 'me' | 'everyone') =>
      data(
        client.POST('/api/projects/{id}/report/send', {
          params: { path: { id } },
          body: { to, ...(range !== undefined ? { range } : period !== undefined && { period }) },
        }),
      ),
    onSuccess: (_, to) => {
      if (to === 'me') notify({ text: 'Sent the report to you.' });
      // The list of recipients shows the progress.
      return queryClient.invalidateQueries({ queryKey: projectReportKey(id) });
    },
    onError: (error) => notify({ text: `Couldn’t send the report. ${toErrorMessage(error)}` }),
  });
  const confirmed = report.recipients.filter(({ is_confirmed: isConfirmed }) => isConfirmed);
  const sendingCount = confirmed.filter(({ delivery }) => delivery?.state === 'sending').length;
  return (
    <>
      <Button size="xs" variant="default" disabled={send.isPending} onClick={() => send.mutate('me')}>
        Send to me
      </Button>
      {confirmed.length > 0 && (
        <Button size="xs" disabled={send.isPending || sendingCount > 0} onClick={() => send.mutate('everyone')}>
          {sendingCount > 0
            ? `Sending: ${confirmed.length - sendingCount} of ${confirmed.length}`
            : `Send to ${confirmed.length} ${confirmed.length === 1 ? 'recipient' : 'recipients'}`}
        </Button>
      )}
    </>
  );
}
