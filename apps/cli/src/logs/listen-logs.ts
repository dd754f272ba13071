import { ImportSummary, LINE_ENDS, LogParser, type LogFormat, type LogLine } from '#libs/access-log';
import { createSecureContext } from 'node:tls';
import { CliError, EXIT } from '../cli-error.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { note, print } from '../output.js';
import { count } from '../terminal-text.js';
import { selectFormat, type FormatOptions } from './select-format.js';
import { findTarget } from './import-logs.js';
import { renderSummary } from './summary-text.js';
import { SyslogServer, type Address, type MessageSource } from './syslog-server.js';
import { VisitQueue } from './visit-queue.js';

const REPORT_INTERVAL_MS = 10_000;

export interface ListenOptions extends FormatOptions {
  project?: string;
  syslog?: Address;
  syslogTls?: Address;
  /** Path to a PEM file. */
  certificate?: string;
  /** Path to a PEM file. */
  key?: string;
  /** Maximum number of queued visits. */
  queue: number;
  /** Maximum time, in milliseconds, to send queued visits after the signal aborts. */
  stopAfter: number;
  concurrency: number;
}

/**
 * Receives access logs over syslog until the signal aborts, and sends them as visits. Retries without a limit while the
 * instance is unavailable.
 *
 * @returns the exit code, which signals a failure if any visit was dropped, rejected or not acknowledged.
 */
export async function listenLogs(options: ListenOptions, connect: Connect, signal: AbortSignal): Promise<number> {
  const format = selectFormat(options);
  const tls = await tlsOptions(options);
  const summary = new ImportSummary();
  const giveUp = new AbortController();
  let waitNote = '';
  const onWait = (reason: string): void => void (waitNote = `  waiting: ${reason.split('\n')[0]!}`);
  const target = await findTarget({ ...options, retryPeriodMs: Infinity }, connect, giveUp.signal, onWait);
  const queue = new VisitQueue({
    post: async (...args) => {
      const outcome = await target.post!(...args);
      waitNote = '';
      return outcome;
    },
    summary,
    capacity: options.queue,
    concurrency: options.concurrency,
    onCapacity: () => server.resume(),
  });
  const server: SyslogServer = new SyslogServer({
    plain: options.syslog,
    tls,
    newSource: (canWait) =>
      createSource(format, summary, (line, characters) => {
        queue.add(line, !canWait, characters);
        if (queue.isFull) server.pause();
      }),
  });
  const listening = await server.start().catch((error: Error) => {
    throw new CliError(`Can't listen: ${error.message}`, { exitCode: EXIT.usage });
  });
  note(`Listening for syslog on ${listening.join(' and ')}${target.name}`);

  const startedAt = Date.now();
  const reports = startReports(() => `${statusText(summary, queue)}${waitNote}`);
  const failure = await Promise.race([waitForAbort(signal), queue.failure]).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await server.close();
  const timer = setTimeout(() => giveUp.abort(), options.stopAfter);
  await queue.end().catch(() => undefined);
  clearTimeout(timer);
  clearInterval(reports);

  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  const rows: [string, number][] = [
    ['Dropped (queue full)', queue.dropped],
    ['Not acknowledged', queue.unsent],
  ];
  print(renderSummary(summary, { title: `Listened for ${seconds} s${target.name}`, dryRun: false, rows }));
  if (failure !== undefined) throw failure.error;
  return queue.unsent > 0 || queue.dropped > 0 || !summary.complete ? EXIT.failure : EXIT.ok;
}

/** Creates a parser for one sender. Its messages must be parsed in order, because header lines apply to later lines. */
function createSource(
  format: LogFormat | null,
  summary: ImportSummary,
  add: (line: LogLine, characters: number) => void,
): MessageSource {
  const parser = new LogParser(format);
  let number = 0;
  return {
    take: (message, finished) => {
      number += 1;
      const texts = message.split(LINE_ENDS).filter((text) => text.trim() !== '');
      if (texts.length === 0) summary.addBlank();
      for (const text of texts) {
        for (const parsed of parser.readAll(text, finished)) {
          if ('reason' in parsed) summary.addUnreadable('syslog', number, parsed.reason, text);
          else if ('leftOut' in parsed) summary.addLeftOut(parsed.leftOut);
          else {
            summary.addReadable(parsed.line, parser.lastFormat);
            add(parsed.line, text.length);
          }
        }
      }
    },
  };
}

async function tlsOptions({ syslogTls, certificate, key }: ListenOptions) {
  if (syslogTls === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new CliError('--syslog-tls requires --certificate FILE and --key FILE.', { exitCode: EXIT.usage });
  }
  const [cert, privateKey] = [await readInput(certificate, '--certificate'), await readInput(key, '--key')];
  try {
    createSecureContext({ cert, key: privateKey });
  } catch (error) {
    const message = `Can't use --certificate ${certificate} with --key ${key}: ${(error as Error).message}`;
    throw new CliError(message, { exitCode: EXIT.usage, cause: error });
  }
  return { ...syslogTls, certificate: cert, key: privateKey };
}

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function startReports(status: () => string): NodeJS.Timeout {
  let lastStatus = status();
  return setInterval(() => {
    if (lastStatus !== (lastStatus = status())) note(lastStatus);
  }, REPORT_INTERVAL_MS);
}

const statusText = (summary: ImportSummary, queue: VisitQueue): string =>
  [
    `${count(summary.read)} received`,
    `${count(summary.sent)} sent`,
    `${count(queue.unsent)} pending`,
    `${count(summary.unreadable)} unreadable`,
    `${count(queue.dropped)} dropped`,
  ].join('  ');
