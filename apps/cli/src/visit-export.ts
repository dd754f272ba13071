import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Project } from '#libs/contracts';
import { CliError, ConnectionError } from './cli-error.js';
import type { InstanceClient } from './client.js';
import type { QueryParams } from './operation-types.js';
import { count, plural } from './terminal-text.js';
import { escapeForOutput, note } from './output.js';
import { writeAtomically } from './replace-file.js';

const PROGRESS_INTERVAL_MS = 1_000;
const LINE_FEED = 10;

interface ExportOptions {
  format: 'csv' | 'ndjson';
  /** Default: standard output. */
  output?: string;
  filters: QueryParams<'get', '/api/projects/{id}/visits/export'>;
}

/** Exports visits to standard output or a file. The file is only created or replaced if the export is complete. */
export async function exportVisits(
  client: InstanceClient,
  project: Project,
  { format, output, filters }: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const streamOptions = { accept: '*/*', signal };
  const stream = await client.stream('/api/projects/{id}/visits/export', streamOptions, {
    params: { path: { id: project.id }, query: { format, ...filters } },
  });
  const progress = new ExportProgress(format === 'csv' ? 1 : 0);
  try {
    if (output === undefined)
      await pipeline(stream, progress.count, escapeForOutput, process.stdout, { signal, end: false });
    else {
      await writeAtomically(output, (unfinished) =>
        pipeline(stream, progress.count, createWriteStream(unfinished, { flags: 'wx' }), { signal }),
      );
    }
  } catch (error) {
    const isExplained = error instanceof CliError && !(error instanceof ConnectionError);
    if (isExplained || (error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
    const reason = signal.aborted ? 'interrupted' : (error as Error).message;
    throw new CliError(`The export failed after ${progress.text()}: ${reason}.`, { cause: error });
  } finally {
    progress.stop();
  }
  note(`Exported ${progress.text()}${output === undefined ? '' : ` to ${output}`}`);
}

class ExportProgress {
  private lines = 0;
  private bytes = 0;
  private shown = '';
  private readonly timer = setInterval(() => this.show(), PROGRESS_INTERVAL_MS);

  /** @param headings Number of header lines, which aren't counted as visits. */
  constructor(private readonly headings: number) {}

  readonly count = (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> => this.pass(chunks);

  text(): string {
    return `${plural(Math.max(0, this.lines - this.headings), 'visit')} (${count(Math.ceil(this.bytes / 1_000))} kB)`;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async *pass(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytes += chunk.byteLength;
      for (const byte of chunk) if (byte === LINE_FEED) this.lines += 1;
      yield chunk;
    }
  }

  private show(): void {
    const text = this.text();
    if (text !== this.shown) note((this.shown = text));
  }
}
