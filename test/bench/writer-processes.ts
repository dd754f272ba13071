import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Processes that store one project's visits, as ingest does. See writer.ts. */
export class Writers {
  private readonly processes: readonly ChildProcess[];

  private constructor(processes: readonly ChildProcess[]) {
    this.processes = processes;
  }

  static async start(databaseUrl: string, projectId: string, count: number): Promise<Writers> {
    const processes = Array.from({ length: count }, () =>
      fork(join(import.meta.dirname, 'writer.ts'), [databaseUrl, projectId]),
    );
    await Promise.all(processes.map((writer) => once(writer, 'message')));
    return new Writers(processes);
  }

  /**
   * Stores visits for `milliseconds` in the first `count` processes.
   *
   * @returns the number of stored visits
   */
  async store(count: number, milliseconds: number): Promise<number> {
    const stored = await Promise.all(
      this.processes.slice(0, count).map(async (writer): Promise<number> => {
        writer.send(milliseconds);
        const [visits] = await once(writer, 'message');
        return visits;
      }),
    );
    return stored.reduce((sum, visits) => sum + visits, 0);
  }

  /** Disconnects from the processes, which exit after closing their database connections. */
  stop(): void {
    for (const writer of this.processes) if (writer.connected) writer.disconnect();
  }
}
