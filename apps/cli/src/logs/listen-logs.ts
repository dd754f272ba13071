import { ImportSummary, LINE_ENDS, LogParser, type LogFormat, type LogLine } from '#libs/access-log';
import { readFile } from 'node:fs/promises';
import { CliError, EXIT } from '../cli-error.js';
import type { Connect } from '../instance.js';
import { note, print } from '../output.js';
import { count } from '../terminal-text.js';
import { chosenFormat, type FormatOptions } from './chosen-format.js';
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
  key?: string;
  /** Maximum number of queued visits. */
  queue: number;
  /** Milliseconds to send queued visits after being asked to stop. */
  stopAfter: number;
  concurrency: number;
}

/**
 * Receives access logs by syslog until the signal aborts, and sends them as visits. Keeps retrying while the instance
 * is unavailable.
 *
 * @returns the exit code, which indicates failure if any visit was dropped, rejected or not acknowledged.
 */
export async function listenLogs(options: ListenOptions, connect: Connect, signal: AbortSignal): Promise<number> {
  const format = chosenFormat(options);
  const summary = new ImportSummary();
  const giveUp = new AbortController();
  let waiting = '';
  const onWait = (reason: string): void => void (waiting = `  waiting: ${reason.split('\n')[0]!}`);
  const target = await findTarget({ ...options, retryFor: Infinity }, connect, giveUp.signal, onWait);
  const queue = new VisitQueue({
    post: async (...given) => {
      const outcome = await target.post!(...given);
      waiting = '';
      return outcome;
    },
    summary,
    capacity: options.queue,
    concurrency: options.concurrency,
    onCapacity: () => server.resume(),
  });
  const server: SyslogServer = new SyslogServer({
    plain: options.syslog,
    tls: await tlsOptions(options),
    newSource: (canWait) =>
      newSource(format, summary, (line, characters) => {
        queue.add(line, !canWait, characters);
        if (queue.isFull) server.pause();
      }),
    onFault: (reason) => note(`A connection was closed: ${reason}.`),
  });
  const listening = await server.start().catch((error: Error) => {
    throw new CliError(`Can't listen: ${error.message}`, { exitCode: EXIT.usage });
  });
  note(`Listening for syslog on ${listening.join(' and ')}${target.name}`);

  const started = Date.now();
  const reports = startReports(() => `${statusText(summary, queue)}${waiting}`);
  const failure = await Promise.race([untilAborted(signal), queue.failure]).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await server.close();
  const timer = setTimeout(() => giveUp.abort(), options.stopAfter);
  await queue.end().catch(() => undefined);
  clearTimeout(timer);
  clearInterval(reports);

  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  const rows: [string, number][] = [
    ['Dropped: queue full', queue.dropped],
    ['Not acknowledged', queue.unsent],
  ];
  print(renderSummary(summary, { title: `Listened for ${seconds} s${target.name}`, dryRun: false, rows }));
  if (failure !== undefined) throw failure.error;
  return queue.unsent > 0 || queue.dropped > 0 || !summary.complete ? EXIT.failure : EXIT.ok;
}

/** Parses messages in order, because header lines apply to the lines that follow. */
function newSource(
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
    throw new CliError('--syslog-tls needs --certificate FILE and --key FILE.', { exitCode: EXIT.usage });
  }
  try {
    return { ...syslogTls, certificate: await readFile(certificate), key: await readFile(key) };
  } catch (error) {
    throw new CliError(`Can't read the certificate: ${(error as Error).message}`, { exitCode: EXIT.usage });
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function startReports(status: () => string): NodeJS.Timeout {
  let said = status();
  return setInterval(() => {
    if (said !== (said = status())) note(said);
  }, REPORT_INTERVAL_MS);
}

const statusText = (summary: ImportSummary, queue: VisitQueue): string =>
  [
    `${count(summary.read)} received`,
    `${count(summary.sent)} sent`,
    `${count(queue.unsent)} on their way`,
    `${count(summary.unreadable)} unreadable`,
    `${count(queue.dropped)} dropped`,
  ].join('  ');
