import { Command } from 'commander';
import type { Alert, AlertChannel, AlertDelivery, AlertList } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import type { Connect } from '../instance.js';
import { jsonOption, projectOption } from '../options.js';
import { print, printJson } from '../output.js';
import { findProject } from '../project.js';
import { localTime, renderTable, escapeInvisible } from '../terminal-text.js';

const HELP = `
Alerts notify people when a project's traffic changes. Add alerts and channels in
the dashboard.

Examples:
  agent-traffic alerts list
  agent-traffic alerts history --json
  agent-traffic alerts test "Web team"`;

interface Options {
  project?: string;
  json?: boolean;
}

export function alertsCommand(connect: Connect): Command {
  const alerts = new Command('alerts').description('list alerts and test their channels').addHelpText('after', HELP);
  alerts
    .command('list')
    .description('list alerts and their states')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client, path } = await connectTo(connect, project);
      const list = await client.get('/api/projects/{id}/alerts', { params: { path } });
      if (json) return printJson(list.alerts);
      if (list.alerts.length === 0) return print('This project has no alerts. Add one in the dashboard.');
      print(renderTable(['ALERT', 'ABOUT', 'STATE', 'LAST FIRED'], list.alerts.map(toRow(list, Date.now()))));
    });
  alerts
    .command('history')
    .description('list past alerts with the times they fired and recovered, newest first')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client, path } = await connectTo(connect, project);
      const { events } = await client.get('/api/projects/{id}/alert-events', { params: { path } });
      if (json) return printJson(events);
      if (events.length === 0) return print('No alerts have fired yet.');
      print(
        renderTable(
          ['FIRED', 'RECOVERED', 'EVENT'],
          events.map(({ fired_at: fired, recovered_at: recovered, text }) => [
            localTime(fired),
            recovered === null ? '-' : localTime(recovered),
            escapeInvisible(text),
          ]),
        ),
      );
    });
  alerts
    .command('test')
    .description('send a test notification to one or all channels and show the result')
    .argument('[channel]', 'channel name or ID (default: all channels)')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async (channel: string | undefined, { project, json }: Options) => {
      const { client, path } = await connectTo(connect, project);
      const tests: { channel: string; delivery: AlertDelivery }[] = [];
      // Print the completed tests even if a later one fails, for example because it exceeds the rate limit.
      try {
        for (const { id, name } of await selectChannels(client, path.id, channel)) {
          const delivery = await client.post('/api/projects/{id}/alert-channels/{channelId}/test', {
            params: { path: { ...path, channelId: id } },
            body: {},
          });
          tests.push({ channel: name, delivery });
          if (!json) print(formatTest({ channel: name, delivery }));
        }
      } finally {
        if (json && tests.length > 0) printJson(tests);
      }
      const failed = tests.filter(({ delivery }) => delivery.state !== 'delivered').length;
      if (failed > 0)
        throw new CliError(`${failed} of ${tests.length} ${tests.length === 1 ? 'test' : 'tests'} failed.`);
    });
  return alerts;
}

async function connectTo(connect: Connect, project: string | undefined) {
  const { client } = await connect();
  const { id } = await findProject(client, project);
  return { client, path: { id } };
}

async function selectChannels(
  client: InstanceClient,
  id: string,
  nameOrId: string | undefined,
): Promise<AlertChannel[]> {
  const { channels } = await client.get('/api/projects/{id}/alert-channels', { params: { path: { id } } });
  if (channels.length === 0) throw new CliError('This project has no channels. Add one in the dashboard.');
  const selectedChannels = channels.filter(
    ({ id, name }) => nameOrId === undefined || nameOrId === id || nameOrId === name,
  );
  if (selectedChannels.length > 0) return selectedChannels;
  const names = channels.map(({ name }) => escapeInvisible(name)).join(', ');
  throw new CliError(`Channel "${escapeInvisible(nameOrId!)}" doesn't exist. Available channels: ${names}.`);
}

const formatTest = ({ channel, delivery }: { channel: string; delivery: AlertDelivery }): string =>
  `${escapeInvisible(channel)}: ${delivery.state === 'delivered' ? 'delivered' : `failed. ${escapeInvisible(delivery.error ?? '')}`}`;

const toRow =
  ({ kinds }: AlertList, now: number) =>
  (alert: Alert): string[] => {
    const { kind, state, muted_until: muted, last_fired_at: fired } = alert;
    const isMuted = state !== 'off' && muted !== null && Date.parse(muted) > now;
    return [
      kinds.find((one) => one.kind === kind)?.label ?? kind,
      escapeInvisible(alert.agent_token ?? alert.agent_id ?? alert.agent_type ?? alert.operator ?? 'all'),
      isMuted ? `${state}, muted until ${localTime(muted)}` : state,
      fired === null ? 'never' : localTime(fired),
    ];
  };
