import { createReadStream } from 'node:fs';
import { chunkLines, ImportSummary, LogImporter, type LogEvent, type Post, type Run } from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { accessProject } from '../project.js';
import { plural } from '../terminal-text.js';
import { chosenFormat, type FormatOptions } from './chosen-format.js';
import { findLogs, STANDARD_INPUT } from './log-files.js';
import { followFile, readLive, readLog } from './log-reader.js';
import { Progress } from './progress.js';
import { overviewAddress, renderCounts, renderSummary } from './summary-text.js';
import { renderSource, renderVisits } from './source-text.js';
import { topAgents } from './top-agents.js';
import { newPost } from './visit-post.js';
import { print } from '../output.js';

const TOP = 10;
/** Compressed logs, which can't be followed. Following skips them unless they are named explicitly. */
const PACKED = /\.(?:gz|zst|bz2|xz)$/;
/** Apache kills piped-log programs 3 s after it asks them to stop, so this must be shorter. */
const PIPE_GRACE_PERIOD_MS = 2_000;
const MAX_NAMED = 4;

export interface ImportOptions extends FormatOptions {
  project?: string;
  /** Milliseconds since the epoch. Older files and lines are skipped. */
  since?: number;
  follow?: boolean;
  dryRun?: boolean;
  /** Milliseconds. */
  retryFor: number;
  concurrency: number;
}

interface Target {
  /** Undefined for a dry run. */
  post?: Post;
  name: string;
  /** Project to link to. Undefined if only its token is known. */
  project?: { url: string; id: string };
}

/**
 * Imports logs and prints a summary.
 *
 * @param given Files, folders and patterns, or `-` for standard input.
 * @param signal Aborted when the user interrupts.
 * @returns the exit code.
 */
export async function importLogs(
  given: string[],
  options: ImportOptions,
  connect: Connect,
  signal: AbortSignal,
): Promise<number> {
  const format = chosenFormat(options);
  const { follow = false, since = -Infinity } = options;
  const found = await findLogs(given);
  const logs = found.filter(({ name, written = Infinity }) =>
    follow ? given.includes(name) || !PACKED.test(name) : written >= since,
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
  // Piped input can't be read again, so allow some time to send it.
  const sending = follow && names.includes(STANDARD_INPUT) ? delayed(signal, PIPE_GRACE_PERIOD_MS) : signal;
  const target = options.dryRun ? DRY_RUN : await findTarget(options, connect, sending, onWait);
  const importer = new LogImporter({ ...options, format, ...target, logs: logs.length, summary, signal: sending });
  const ended = AbortSignal.any([signal, importer.ended]);
  const progress = new Progress(() => ({
    ...summary.done,
    totalBytes: follow ? undefined : totalBytes,
    note: Date.now() < note.until ? note.text : '',
  }));
  async function* read(name: string): AsyncGenerator<Run> {
    let bytes = 0;
    const onBytes = (read: number): void => void (bytes += read);
    for await (const run of chunkLines(openLog(name, follow, { signal: ended, onBytes }))) {
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

  const started = Date.now();
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

  // If nothing was sent, e.g. because of a wrong token, there is nothing to summarize.
  if (failure && summary.sent + summary.repeated + summary.refused === 0) throw failure.error;
  const stopped = failure !== undefined || (signal.aborted && !follow);
  const isUnreadable = summary.unreadable > 0 && summary.readable === 0;
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  const outcome = stopped ? 'Stopped after' : isUnreadable ? 'No line could be read in' : 'Done in';
  const title = `${outcome} ${seconds} s: ${namesOf(names)}${target.name}`;
  if (options.dryRun && summary.examples.length > 0) {
    print(`${renderVisits(summary.examples)}\n`);
  }
  print(renderSummary(summary, { title, dryRun: options.dryRun ?? false }));
  if (summary.readable > 0) print(`\n${renderSource(summary)}`);
  if (!follow && logs.length < found.length) {
    print(`\n${plural(found.length - logs.length, 'log')} left out: last written before --since`);
  }
  const top = await renderTop(summary);
  if (top !== '') print(`\n${top}`);
  const { range } = summary;
  if (target.project && range && summary.sent + summary.repeated > 0)
    print(`\nSee these visits:\n  ${overviewAddress(target.project.url, target.project.id, range)}`);
  if (stopped) print('\nTo resume, run the same command again: what is recorded already is not recorded twice.');
  if (failure) throw failure.error;
  return stopped || isUnreadable || !summary.complete ? EXIT.failure : EXIT.ok;
}

function delayed(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => setTimeout(() => controller.abort(), milliseconds).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

const namesOf = (names: readonly string[]): string =>
  names.length > MAX_NAMED || names.length === 0 ? plural(names.length, 'log') : names.join(', ');

const DRY_RUN: Target = { name: ' (dry run, nothing was sent)' };

export async function findTarget(
  options: Pick<ImportOptions, 'project' | 'retryFor' | 'concurrency'>,
  connect: Connect,
  signal: AbortSignal,
  onWait: (reason: string, wait: number) => void,
): Promise<Target> {
  const instance = await connect();
  const { token, project } = await accessProject(instance, options.project);
  const { retryFor, concurrency } = options;
  const post = newPost({ client: instance.client, token, retryFor, concurrency, signal, onWait });
  if (project === undefined) return { post, name: '' };
  return { post, name: ` → project "${project.name}"`, project: { url: instance.client.url, id: project.id } };
}

async function renderTop({ userAgents }: ImportSummary): Promise<string> {
  if (userAgents.total === 0) return '';
  // Loaded on demand, because it's slow to load.
  const { bundledCatalog, compileCatalog } = await import('#libs/catalog');
  const { matcher } = compileCatalog(bundledCatalog());
  return renderCounts('Top agents (as their user agents say)', topAgents(userAgents, matcher, TOP));
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
