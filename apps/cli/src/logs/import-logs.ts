import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  chunkLines,
  ImportSummary,
  LOG_FORMATS,
  LogImporter,
  mappedFormat,
  readMapping,
  type LogEvent,
  type LogFormat,
  type Post,
  type Run,
} from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { accessProject } from '../project.js';
import { followFile, readLive, readLog } from './log-reader.js';
import { Progress } from './progress.js';
import { overviewAddress, renderCounts, renderSummary } from './summary-text.js';
import { renderSource, renderVisits } from './source-text.js';
import { topAgents } from './top-agents.js';
import { newPost } from './visit-post.js';
import { print } from '../output.js';

const TOP = 10;

export interface ImportOptions {
  project?: string;
  /** Told from the lines, unless it is given. */
  format?: string;
  /** `field=key`, for JSON of one's own. */
  map?: string[];
  follow?: boolean;
  dryRun?: boolean;
  /** Milliseconds. */
  retryFor: number;
  concurrency: number;
}

interface Target {
  /** Absent for a dry run. */
  post?: Post;
  name: string;
  /** Where the project is shown; absent where the token alone is known. */
  project?: { url: string; id: string };
}

/**
 * Imports the logs and prints the summary.
 *
 * @param signal aborted when the user interrupts.
 * @returns the exit code.
 */
export async function importLogs(
  names: string[],
  options: ImportOptions,
  connect: Connect,
  signal: AbortSignal,
): Promise<number> {
  const format = formatOf(options);
  const totalBytes = await sizeOf(names);
  const summary = new ImportSummary();
  let note: { text: string; until: number } = { text: '', until: 0 };
  const onWait = (reason: string, wait: number): void => {
    note = { text: `waiting ${Math.ceil(wait / 1_000)} s: ${reason.split('\n')[0]!}`, until: Date.now() + wait };
  };
  const target = options.dryRun ? DRY_RUN : await findTarget(options, connect, signal, onWait);
  const importer = new LogImporter({ ...options, format, ...target, summary, signal });
  const progress = new Progress(() => ({
    ...summary.done,
    totalBytes: options.follow ? undefined : totalBytes,
    note: Date.now() < note.until ? note.text : '',
  }));
  async function* read(name: string): AsyncGenerator<Run> {
    let bytes = 0;
    const onBytes = (read: number): void => void (bytes += read);
    for await (const run of chunkLines(openLog(name, options.follow ?? false, { signal: importer.ended, onBytes }))) {
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
    if (options.follow) await Promise.all(names.map(importOne));
    else for (const name of names) if (!importer.ended.aborted) await importOne(name);
  } catch (error) {
    failure = { error };
  } finally {
    progress.stop();
  }

  const stopped = failure !== undefined || (signal.aborted && !options.follow);
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  const title = `${stopped ? 'Stopped after' : 'Done in'} ${seconds} s: ${names.join(', ')}${target.name}`;
  if (options.dryRun && summary.examples.length > 0) {
    print(`${renderVisits(summary.examples)}\n`);
  }
  print(renderSummary(summary, { title, dryRun: options.dryRun ?? false }));
  if (summary.formats.size > 0) print(`\n${renderSource(summary)}`);
  const top = await renderTop(summary);
  if (top !== '') print(`\n${top}`);
  const { range } = summary;
  if (target.project && range && summary.sent + summary.repeated > 0)
    print(`\nSee these visits:\n  ${overviewAddress(target.project.url, target.project.id, range)}`);
  if (stopped) print('\nTo resume, run the same command again: what is recorded already is not recorded twice.');
  if (failure) throw failure.error;
  return stopped || !summary.complete ? EXIT.failure : EXIT.ok;
}

/** Null to tell it from the lines. */
function formatOf({ format: name, map }: ImportOptions): LogFormat | null {
  if (map === undefined) return LOG_FORMATS.find((format) => format.name === name) ?? null;
  const result = readMapping(map);
  if ('mapping' in result) return mappedFormat(result.mapping);
  throw new CliError(
    `--map does not say where each field is:\n${result.faults.map((fault) => `  ${fault}`).join('\n')}`,
    {
      exitCode: EXIT.usage,
    },
  );
}

const DRY_RUN: Target = { name: ' (dry run, nothing was sent)' };

async function findTarget(
  options: ImportOptions,
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
  // Only here, as it takes longer to load than other commands to run.
  const { bundledCatalog, compileCatalog } = await import('#libs/catalog');
  const { matcher } = compileCatalog(bundledCatalog());
  return renderCounts('Top agents (as their user agents say)', topAgents(userAgents, matcher, TOP));
}

/** Bytes in all; undefined with standard input among the names. @throws before anything is sent, for what isn't there. */
async function sizeOf(names: string[]): Promise<number | undefined> {
  let total: number | undefined = 0;
  for (const name of names) {
    if (name === '-') {
      total = undefined;
      continue;
    }
    const found = await stat(name).catch((error: Error) => {
      throw new CliError(`Can't read the log: ${error.message}`, { exitCode: EXIT.usage });
    });
    if (found.isDirectory()) throw new CliError(`${name} is a folder, not a log.`, { exitCode: EXIT.usage });
    if (total !== undefined) total += found.size;
  }
  return total;
}

function openLog(
  name: string,
  follow: boolean,
  options: { signal: AbortSignal; onBytes: (bytes: number) => void },
): AsyncGenerator<LogEvent> {
  if (name === '-') {
    options.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
    return follow ? readLive(process.stdin, options) : readLog(process.stdin, options);
  }
  if (follow) return followFile(name, options);
  return readLog(createReadStream(name, { signal: options.signal }), options);
}
