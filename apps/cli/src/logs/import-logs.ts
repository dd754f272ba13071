import { createReadStream } from 'node:fs';
import { chunkLines, ImportSummary, LogImporter, type LogEvent, type Post, type Run } from '#libs/access-log';
import { AgentMatcher } from '#libs/agents';
import { CliError, EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { getProjectAccess } from '../project.js';
import { plural } from '../terminal-text.js';
import { selectFormat, type FormatOptions } from './select-format.js';
import { findLogs, STANDARD_INPUT } from './log-files.js';
import { followFile, readLive, readLog } from './log-reader.js';
import { Progress } from './progress.js';
import { buildOverviewUrl, renderCounts, renderSummary } from './summary-text.js';
import { renderSource, renderVisits } from './source-text.js';
import { topAgents } from './top-agents.js';
import { createPost } from './visit-post.js';
import { print } from '../output.js';

const MAX_TOP_AGENTS = 10;
/** Names of compressed logs. They can't be followed, so `--follow` skips them unless they are named explicitly. */
const COMPRESSED_NAME = /\.(?:gz|zst|bz2|xz)$/;
/**
 * Time to finish sending piped input after an interrupt. Must be less than 3 s, because Apache kills a piped-log
 * program 3 s after asking it to stop.
 */
const PIPE_GRACE_PERIOD_MS = 2_000;
const MAX_LISTED_LOGS = 4;

export interface ImportOptions extends FormatOptions {
  project?: string;
  /** Milliseconds since the Unix epoch. Older files and lines are skipped. */
  since?: number;
  follow?: boolean;
  dryRun?: boolean;
  /** Maximum retry time in milliseconds. */
  retryPeriodMs: number;
  concurrency: number;
}

interface Target {
  /** Function that sends visits. Undefined for a dry run. */
  post?: Post;
  name: string;
  /** Project to link to, or undefined if only its token is known. */
  project?: { url: string; id: string };
}

/**
 * Imports logs and prints a summary.
 *
 * @param inputs Files, folders and glob patterns, or `-` for standard input.
 * @param signal Aborted when the user interrupts the import.
 * @returns the exit code.
 */
export async function importLogs(
  inputs: string[],
  options: ImportOptions,
  connect: Connect,
  signal: AbortSignal,
): Promise<number> {
  const format = selectFormat(options);
  const { follow = false, since = -Infinity } = options;
  const foundLogs = await findLogs(inputs);
  const logs = foundLogs.filter(({ name, written = Infinity }) =>
    follow ? inputs.includes(name) || !COMPRESSED_NAME.test(name) : written >= since,
  );
  const names = logs.map(({ name }) => name);
  const totalBytes = logs.reduce<number | undefined>(
    (total, { bytes }) => (total === undefined || bytes === undefined ? undefined : total + bytes),
    0,
  );
  const summary = new ImportSummary();
  let note: { text: string; until: number } = { text: '', until: 0 };
  const onWait = (reason: string, wait: number): void => {
    note = { text: `waiting ${Math.ceil(wait / 1_000)} s: ${reason.split('\n')[0]!}`, until: Date.now() + wait };
  };
  // Piped input can't be read a second time, so after an interrupt, allow time to finish sending what has already been
  // read.
  const sendSignal = follow && names.includes(STANDARD_INPUT) ? delayAbort(signal, PIPE_GRACE_PERIOD_MS) : signal;
  const target = options.dryRun ? DRY_RUN : await findTarget(options, connect, sendSignal, onWait);
  const importer = new LogImporter({ ...options, format, ...target, logs: logs.length, summary, signal: sendSignal });
  const stopSignal = AbortSignal.any([signal, importer.ended]);
  const progress = new Progress(() => ({
    ...summary.done,
    totalBytes: follow ? undefined : totalBytes,
    note: Date.now() < note.until ? note.text : '',
  }));
  async function* read(name: string): AsyncGenerator<Run> {
    let bytes = 0;
    const onBytes = (read: number): void => void (bytes += read);
    for await (const run of chunkLines(openLog(name, follow, { signal: stopSignal, onBytes }))) {
      yield { ...run, bytes };
      bytes = 0;
    }
  }
  const importOne = async (name: string): Promise<void> => {
    try {
      await importer.import(name, read(name));
    } catch (error) {
      if (signal.aborted) return;
      if (importer.ended.aborted || error instanceof CliError) throw error;
      summary.failures.push(`${name}: ${(error as Error).message}`);
    }
  };

  const startedAt = Date.now();
  let failure: { error: unknown } | undefined;
  progress.start();
  try {
    if (follow) await Promise.all(names.map(importOne));
    else for (const name of names) if (!importer.ended.aborted) await importOne(name);
  } catch (error) {
    failure = { error };
  } finally {
    progress.stop();
  }

  // If nothing was sent, for example because of an invalid token, there is nothing to summarize.
  if (failure && summary.sent + summary.repeated + summary.rejected === 0) throw failure.error;
  const isStopped = failure !== undefined || (signal.aborted && !follow);
  const isUnreadable = summary.unreadable > 0 && summary.readable === 0;
  const isOld = logs.length < foundLogs.length || summary.leftOut.has('older than --since');
  const isEmpty = !follow && !isStopped && !isOld && summary.readable + summary.unreadable === 0;
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  const outcome = isStopped
    ? 'Stopped after'
    : isUnreadable
      ? 'No lines could be parsed in'
      : isEmpty
        ? 'No requests found in'
        : 'Done in';
  const title = `${outcome} ${seconds} s: ${formatNames(names)}${target.name}`;
  if (options.dryRun && summary.examples.length > 0) {
    print(`${renderVisits(summary.examples)}\n`);
  }
  print(renderSummary(summary, { title, dryRun: options.dryRun ?? false }));
  if (summary.readable > 0) print(`\n${renderSource(summary)}`);
  if (!follow && logs.length < foundLogs.length) {
    print(`\n${plural(foundLogs.length - logs.length, 'log')} skipped: last modified before --since`);
  }
  const topAgentsText = await renderTop(summary);
  if (topAgentsText !== '') print(`\n${topAgentsText}`);
  const { range } = summary;
  if (target.project && range && summary.sent + summary.repeated > 0)
    print(`\nTo see these visits:\n  ${buildOverviewUrl(target.project.url, target.project.id, range)}`);
  if (isStopped) print('\nTo resume, run the same command again. Visits that are already recorded are not duplicated.');
  if (failure) throw failure.error;
  if (isEmpty && summary.failures.length === 0) {
    throw new CliError('Nothing was imported, because the logs contain no requests.', {
      hint: explainEmpty(summary, options.since !== undefined),
    });
  }
  return isStopped || isUnreadable || !summary.complete ? EXIT.failure : EXIT.ok;
}

/** Returns the next step after an import that found no requests. */
function explainEmpty(summary: ImportSummary, hasSince: boolean): string {
  if (hasSince) return 'Choose an earlier time for --since, or check that the server still writes to this log.';
  if (summary.read > summary.blank) return 'Import the access log instead. All lines come from another kind of log.';
  return 'Check the path, and that access logging is turned on in the server’s configuration.';
}

function delayAbort(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => setTimeout(() => controller.abort(), milliseconds).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

const formatNames = (names: readonly string[]): string =>
  names.length > MAX_LISTED_LOGS || names.length === 0 ? plural(names.length, 'log') : names.join(', ');

const DRY_RUN: Target = { name: ' (dry run, nothing was sent)' };

export async function findTarget(
  options: Pick<ImportOptions, 'project' | 'retryPeriodMs' | 'concurrency'>,
  connect: Connect,
  signal: AbortSignal,
  onWait: (reason: string, wait: number) => void,
): Promise<Target> {
  const instance = await connect();
  const { token, project } = await getProjectAccess(instance, options.project, 'report');
  const { retryPeriodMs, concurrency } = options;
  const post = createPost({ client: instance.client, token, retryPeriodMs, concurrency, signal, onWait });
  if (project === undefined) return { post, name: '' };
  return { post, name: ` → project "${project.name}"`, project: { url: instance.client.url, id: project.id } };
}

async function renderTop({ userAgents }: ImportSummary): Promise<string> {
  if (userAgents.total === 0) return '';
  // Imported lazily because it loads slowly.
  const { getBundledAgents } = await import('#libs/catalog/bundled-catalog');
  const matcher = new AgentMatcher(getBundledAgents());
  return renderCounts('Top agents (by User-Agent, unverified)', topAgents(userAgents, matcher, MAX_TOP_AGENTS));
}

function openLog(
  name: string,
  follow: boolean,
  options: { signal: AbortSignal; onBytes: (bytes: number) => void },
): AsyncGenerator<LogEvent> {
  if (name === STANDARD_INPUT && follow) return liveInput(options);
  if (name === STANDARD_INPUT) {
    options.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
    return readLog(process.stdin, options);
  }
  if (follow) return followFile(name, options);
  return readLog(createReadStream(name, { signal: options.signal }), options);
}

async function* liveInput(options: Parameters<typeof readLive>[1]): AsyncGenerator<LogEvent> {
  try {
    yield* readLive(process.stdin, options);
  } finally {
    process.stdin.destroy();
  }
}
