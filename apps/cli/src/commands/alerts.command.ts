import { Command } from 'commander';
import type { Alert, AlertChannel, AlertDelivery, AlertList } from '#libs/contracts';
import { CliError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import type { Connect } from '../instance.js';
import { jsonOption, projectOption } from '../options.js';
import { print, printJson } from '../output.js';
import { findProject } from '../project.js';
import { localTime, table, visible } from '../terminal-text.js';

const HELP = `
Alerts tell the people of a project that something changed. Add them, and the
channels that they are sent to, in the dashboard.

Examples:
  agent-traffic alerts list
  agent-traffic alerts history --json
  agent-traffic alerts test "Web team"`;

interface Options {
  project?: string;
  json?: boolean;
}

export function alertsCommand(connect: Connect): Command {
  const alerts = new Command('alerts').description('list alerts, and test where they go').addHelpText('after', HELP);
  alerts
    .command('list')
    .description('list alerts with their state')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client, path } = await connectTo(connect, project);
      const list = await client.get('/api/projects/{id}/alerts', { params: { path } });
      if (json) return printJson(list.alerts);
      if (list.alerts.length === 0) return print('This project has no alerts. Add one in the dashboard.');
      print(table(['ALERT', 'ABOUT', 'STATE', 'LAST FIRED'], list.alerts.map(rowOf(list, Date.now()))));
    });
  alerts
    .command('history')
    .description('list when alerts fired and recovered, newest first')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client, path } = await connectTo(connect, project);
      const { events } = await client.get('/api/projects/{id}/alert-events', { params: { path } });
      if (json) return printJson(events);
      if (events.length === 0) return print('No alerts have fired yet.');
      print(
        table(
          ['FIRED', 'RECOVERED', 'WHAT HAPPENED'],
          events.map(({ fired_at: fired, recovered_at: recovered, text }) => [
            localTime(fired),
            recovered === null ? '-' : localTime(recovered),
            visible(text),
          ]),
        ),
      );
    });
  alerts
    .command('test')
    .description('send a test to a channel, or to all of them, and say what came of it')
    .argument('[channel]', 'name or id of a channel')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async (wanted: string | undefined, { project, json }: Options) => {
      const { client, path } = await connectTo(connect, project);
      const tests: { channel: string; delivery: AlertDelivery }[] = [];
      // Reports completed tests even if a later one fails, e.g. because there were too many.
      try {
        for (const { id, name } of await channelsOf(client, path.id, wanted)) {
          const delivery = await client.post('/api/projects/{id}/alert-channels/{channelId}/test', {
            params: { path: { ...path, channelId: id } },
            body: {},
          });
          tests.push({ channel: name, delivery });
          if (!json) print(testText({ channel: name, delivery }));
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

async function connectTo(connect: Connect, wanted: string | undefined) {
  const { client } = await connect();
  const { id } = await findProject(client, wanted);
  return { client, path: { id } };
}

async function channelsOf(client: InstanceClient, id: string, wanted: string | undefined): Promise<AlertChannel[]> {
  const { channels } = await client.get('/api/projects/{id}/alert-channels', { params: { path: { id } } });
  if (channels.length === 0) throw new CliError('This project has no channels. Add one in the dashboard.');
  const chosen = channels.filter(({ id, name }) => wanted === undefined || wanted === id || wanted === name);
  if (chosen.length > 0) return chosen;
  const names = channels.map(({ name }) => visible(name)).join(', ');
  throw new CliError(`No channel is called "${visible(wanted!)}". There are: ${names}.`);
}

const testText = ({ channel, delivery }: { channel: string; delivery: AlertDelivery }): string =>
  `${visible(channel)}: ${delivery.state === 'delivered' ? 'delivered' : `failed. ${visible(delivery.error ?? '')}`}`;

const rowOf =
  ({ kinds }: AlertList, now: number) =>
  (alert: Alert): string[] => {
    const { kind, state, muted_until: muted, last_fired_at: fired } = alert;
    const isMuted = state !== 'off' && muted !== null && Date.parse(muted) > now;
    return [
      kinds.find((one) => one.kind === kind)?.label ?? kind,
      visible(alert.agent_token ?? alert.agent_id ?? alert.agent_type ?? alert.operator ?? 'all'),
      isMuted ? `${state}, muted until ${localTime(muted)}` : state,
      fired === null ? 'never' : localTime(fired),
    ];
  };
