import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import {
  parseTimestamp,
  type Project,
  type Reidentification,
  type ReidentificationAction,
  type Reidentifications,
} from '#libs/contracts';
import { CliError, EXIT, HttpError } from '../cli-error.js';
import type { InstanceClient } from '../client.js';
import type { Connect } from '../instance.js';
import { onInterrupt } from '../interrupt.js';
import { jsonOption, parseTime, TIME_VALUES, projectOption } from '../options.js';
import { note, print, printJson } from '../output.js';
import { findProject } from '../project.js';
import { describeReidentification, describeReidentifications } from '../reidentification-text.js';
import { count, plural } from '../terminal-text.js';

const POLL_INTERVAL_MS = 1_000;

const HELP = `
Identifies stored visits again with the current catalog. It starts with a preview,
which changes nothing. In a terminal, the command asks whether to apply it.
Otherwise, apply it with --apply and the printed ID. Checks that can't be repeated
keep their earlier result. Examples are keys that no longer exist, past DNS
responses, and address lists for visits older than 7 days. The original verdict is
stored alongside the new one.

The instance does the work and continues even if you stop this command. New visits
have priority, so it can take hours.

Examples:
  agent-traffic visits reidentify --from 2026-11-01 --to 2026-12-01
  agent-traffic visits reidentify --from 2026-11-01 --to 2026-12-01 --agent MyBot --dry-run
  agent-traffic visits reidentify --apply 019a0000-0000-7000-8000-000000000001
  agent-traffic visits reidentify --show 019a0000-0000-7000-8000-000000000001`;

interface Options extends Partial<Record<ReidentificationAction, string>> {
  project?: string;
  from?: string;
  to?: string;
  agent?: string;
  dryRun?: boolean;
  show?: string;
  list?: boolean;
  json?: boolean;
}

const ACTIONS: readonly ReidentificationAction[] = ['apply', 'pause', 'resume', 'cancel'];

export function reidentifyCommand(connect: Connect): Command {
  return new Command('reidentify')
    .description('identify stored visits again with the current catalog')
    .addOption(projectOption())
    .option('--from <time>', `start of the time range: ${TIME_VALUES}`, parseTime)
    .option('--to <time>', `end of the time range (exclusive): ${TIME_VALUES}`, parseTime)
    .option('-a, --agent <token>', 'only visits that change from or to this agent')
    .option('--dry-run', 'only show the preview, without asking to apply it')
    .option('--apply <id>', 'apply a preview to the stored visits')
    .option('--pause <id>', 'pause a running re-identification')
    .option('--resume <id>', 'resume a paused re-identification')
    .option('--cancel <id>', 'cancel a re-identification; changes made so far remain')
    .option('--show <id>', 'wait for a re-identification and show its result')
    .option('--list', "list the project's re-identifications")
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      const { client } = await connect();
      const project = await findProject(client, options.project);
      const { signal, dispose } = onInterrupt();
      try {
        await run(new ReidentificationClient(client, project, signal), options);
      } finally {
        dispose();
      }
    });
}

async function run(client: ReidentificationClient, options: Options): Promise<void> {
  const show = (found: Reidentification): void =>
    options.json ? printJson(found) : print(describeReidentification(found));
  const showResult = (found: Reidentification): void => {
    show(found);
    if (found.state === 'canceled') throw new CliError('The re-identification was canceled before it was complete.');
    if (found.error !== null) throw new CliError('The re-identification was paused because of an error.');
  };
  if (options.list) {
    const found = await client.list();
    return options.json ? printJson(found) : print(describeReidentifications(found.reidentifications));
  }
  if (options.show !== undefined) return show(await client.watch(await client.get(options.show)));
  const action = ACTIONS.find((name) => options[name] !== undefined);
  if (action !== undefined) {
    const changed = await client.change(options[action]!, action);
    return action === 'pause' || action === 'cancel' ? show(changed) : showResult(await client.watch(changed));
  }
  const { from, to, agent } = options;
  if (from === undefined || to === undefined) {
    throw new CliError('Specify a time range with --from and --to.', { exitCode: EXIT.usage });
  }
  const range = { from: toIsoTime(from), to: toIsoTime(to) };
  const preview = await client.watch(await client.create({ ...range, ...(agent !== undefined && { agent }) }));
  showResult(preview);
  if (preview.state !== 'previewed' || preview.preview?.changed === 0 || options.json) return;
  if (!options.dryRun && process.stdin.isTTY && process.stdout.isTTY) {
    if (await isConfirmed(client.signal)) showResult(await client.watch(await client.change(preview.id, 'apply')));
  } else note(`Nothing was changed. To apply the preview: ${client.formatCommand('apply', preview)}`);
}

/** Converts a valid time to ISO 8601 in UTC. A date means midnight UTC. */
const toIsoTime = (text: string): string => new Date(parseTimestamp(text)!).toISOString();

async function isConfirmed(signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question('Apply these changes? [y/N] ', { signal })).trim());
  } finally {
    terminal.close();
  }
}

class ReidentificationClient {
  constructor(
    private readonly client: InstanceClient,
    private readonly project: Project,
    readonly signal: AbortSignal,
  ) {}

  list(): Promise<Reidentifications> {
    return this.client.get('/api/projects/{id}/reidentifications', { params: { path: { id: this.project.id } } });
  }

  get(id: string): Promise<Reidentification> {
    return this.client.get('/api/projects/{id}/reidentifications/{reidentificationId}', {
      params: this.buildParams(id),
    });
  }

  create(body: { from: string; to: string; agent?: string }): Promise<Reidentification> {
    return this.client
      .post('/api/projects/{id}/reidentifications', { params: { path: { id: this.project.id } }, body })
      .catch((error: unknown) => this.rethrowWithHint(error));
  }

  change(id: string, action: ReidentificationAction): Promise<Reidentification> {
    const changed = this.client.patch('/api/projects/{id}/reidentifications/{reidentificationId}', {
      params: this.buildParams(id),
      body: { action },
    });
    return action === 'apply' ? changed.catch((error: unknown) => this.rethrowWithHint(error)) : changed;
  }

  private buildParams(id: string) {
    return { path: { id: this.project.id, reidentificationId: id } };
  }

  /** Rethrows the error. For a conflict, adds commands to manage the re-identification in progress. */
  private async rethrowWithHint(error: unknown): Promise<never> {
    if (!(error instanceof HttpError) || error.status !== 409) throw error;
    const unfinished = (await this.list()).reidentifications.find(isUnfinished);
    if (unfinished === undefined) throw error;
    const [verb, option] = unfinished.is_paused ? (['resume', 'resume'] as const) : (['see', 'show'] as const);
    const hint = `To ${verb} it: ${this.formatCommand(option, unfinished)}\nTo cancel it: ${this.formatCommand('cancel', unfinished)}`;
    throw new HttpError(error.status, error.problem, error.message, { hint });
  }

  /** Prints progress until the re-identification finishes or is paused, or this command is interrupted. */
  async watch(started: Reidentification): Promise<Reidentification> {
    let found = started;
    let lastPercent = -1;
    while (isActive(found) && !this.signal.aborted) {
      const percent = Math.floor(found.progress * 100);
      const [report, verb] = found.state === 'applying' ? [found.result, 'changed'] : [found.preview, 'would change'];
      if (percent > lastPercent)
        note(`${percent}%, ${plural(report?.looked_at ?? 0, 'visit')}, ${count(report?.changed ?? 0)} ${verb}`);
      lastPercent = percent;
      await sleep(POLL_INTERVAL_MS, undefined, { signal: this.signal }).catch(() => undefined);
      found = await this.get(found.id);
    }
    if (isActive(found))
      note(`The instance continues the re-identification. To see its progress: ${this.formatCommand('show', found)}`);
    else if (found.is_paused)
      note(`The re-identification is paused. To resume it: ${this.formatCommand('resume', found)}`);
    return found;
  }

  /** Includes the project, so the command also works for users with several projects. */
  formatCommand(option: ReidentificationAction | 'show', { id }: Reidentification): string {
    return `agent-traffic visits reidentify --project ${this.project.id} --${option} ${id}`;
  }
}

const isUnfinished = ({ state }: Reidentification): boolean => state === 'previewing' || state === 'applying';
const isActive = (found: Reidentification): boolean => isUnfinished(found) && !found.is_paused;
