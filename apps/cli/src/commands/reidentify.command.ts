import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
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
import { jsonOption, parseTime, projectOption } from '../options.js';
import { note, print, printJson } from '../output.js';
import { findProject } from '../project.js';
import { describeReidentification, describeReidentifications } from '../reidentification-text.js';
import { count, plural } from '../terminal-text.js';

const POLL_INTERVAL_MS = 1_000;

const HELP = `
Identifies stored visits as today's catalog would: first as a preview, which
changes nothing. On a terminal you are asked whether to apply it; elsewhere, apply
it with --apply and the id that is printed. Where a check cannot be repeated, its
earlier outcome counts: keys that are gone, DNS that answered then, address lists
once a visit is older than 7 days. The first verdict is kept beside the new one.

The instance does the work, and continues when this command is stopped. New
visits come first, so it can take hours.

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
    .description("identify stored visits again with today's catalog")
    .addOption(projectOption())
    .option('--from <time>', 'visits from this time on, ISO 8601', parseTime)
    .option('--to <time>', 'visits before this time', parseTime)
    .option('-a, --agent <token>', 'only changes from or to this agent')
    .option('--dry-run', 'only preview; do not ask whether to apply it')
    .option('--apply <id>', 'apply a preview')
    .option('--pause <id>', 'pause a preview or its application')
    .option('--resume <id>', 'resume what was paused')
    .option('--cancel <id>', 'cancel it; what it has changed stays')
    .option('--show <id>', 'show it, when it is done')
    .option('--list', "list the project's previews, and what was applied")
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
  const showEnd = (found: Reidentification): void => {
    show(found);
    if (found.state === 'canceled') throw new CliError('The re-identification was canceled before it was done.');
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
    return action === 'pause' || action === 'cancel' ? show(changed) : showEnd(await client.watch(changed));
  }
  const { from, to, agent } = options;
  if (from === undefined || to === undefined) {
    throw new CliError('Choose which visits with --from and --to.', { exitCode: EXIT.usage });
  }
  const range = { from: timeOf(from), to: timeOf(to) };
  const preview = await client.watch(await client.create({ ...range, ...(agent !== undefined && { agent }) }));
  showEnd(preview);
  if (preview.state !== 'previewed' || preview.preview?.changed === 0 || options.json) return;
  if (!options.dryRun && process.stdin.isTTY && process.stdout.isTTY) {
    if (await isConfirmed(client.signal)) showEnd(await client.watch(await client.change(preview.id, 'apply')));
  } else note(`Nothing was changed. To apply it: ${client.commandTo('apply', preview)}`);
}

/** Normalizes a time. A date means midnight UTC. */
const timeOf = (text: string): string => new Date(parseTimestamp(text)!).toISOString();

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
    return this.client.get('/api/projects/{id}/reidentifications/{reidentificationId}', { params: this.paramsOf(id) });
  }

  create(body: { from: string; to: string; agent?: string }): Promise<Reidentification> {
    return this.client
      .post('/api/projects/{id}/reidentifications', { params: { path: { id: this.project.id } }, body })
      .catch((error: unknown) => this.explain(error));
  }

  change(id: string, action: ReidentificationAction): Promise<Reidentification> {
    const changed = this.client.patch('/api/projects/{id}/reidentifications/{reidentificationId}', {
      params: this.paramsOf(id),
      body: { action },
    });
    return action === 'apply' ? changed.catch((error: unknown) => this.explain(error)) : changed;
  }

  private paramsOf(id: string) {
    return { path: { id: this.project.id, reidentificationId: id } };
  }

  /** Rethrows the error. For a conflict, adds commands for the re-identification in progress. */
  private async explain(error: unknown): Promise<never> {
    if (!(error instanceof HttpError) || error.status !== 409) throw error;
    const atWork = (await this.list()).reidentifications.find(isUnderWay);
    if (atWork === undefined) throw error;
    const [verb, option] = atWork.is_paused ? (['resume', 'resume'] as const) : (['see', 'show'] as const);
    const hint = `To ${verb} it: ${this.commandTo(option, atWork)}\nTo cancel it: ${this.commandTo('cancel', atWork)}`;
    throw new HttpError(error.status, error.problem, error.message, { hint });
  }

  /** Prints the progress until the work is done or paused, or until this command is interrupted. */
  async watch(started: Reidentification): Promise<Reidentification> {
    let found = started;
    let said = -1;
    while (isAtWork(found) && !this.signal.aborted) {
      const percent = Math.floor(found.progress * 100);
      const [report, verb] = found.state === 'applying' ? [found.result, 'changed'] : [found.preview, 'would change'];
      if (percent > said)
        note(`${percent} %, ${plural(report?.looked_at ?? 0, 'visit')}, ${count(report?.changed ?? 0)} ${verb}`);
      said = percent;
      await pause(POLL_INTERVAL_MS, undefined, { signal: this.signal }).catch(() => undefined);
      found = await this.get(found.id);
    }
    if (isAtWork(found)) note(`The instance continues. To see it: ${this.commandTo('show', found)}`);
    else if (found.is_paused) note(`It is paused. To resume it: ${this.commandTo('resume', found)}`);
    return found;
  }

  /** Returns a command to copy. It names the project, because the user may have several. */
  commandTo(option: ReidentificationAction | 'show', { id }: Reidentification): string {
    return `agent-traffic visits reidentify --project ${this.project.id} --${option} ${id}`;
  }
}

const isUnderWay = ({ state }: Reidentification): boolean => state === 'previewing' || state === 'applying';
const isAtWork = (found: Reidentification): boolean => isUnderWay(found) && !found.is_paused;
