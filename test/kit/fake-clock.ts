import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../stack/packages.ts';
import type { ServerProcess } from '../stack/server-process.ts';
import { until } from './instance.js';

/** Interval at which libfaketime rereads its file. Rereading it on every call would slow down the services. */
const REREAD_INTERVAL_SECONDS = '1';
/**
 * Tolerance for comparing the server's clock with the expected time. The `Date` header is only accurate to one second.
 */
const TOLERANCE_MS = 5_000;

/** Fakes a server's wall clock with libfaketime. Monotonic time and timers aren't affected. */
export class FakeClock {
  private constructor(
    private readonly server: ServerProcess,
    private readonly file: string,
  ) {}

  /**
   * Restarts an HTTP server with an adjustable clock.
   *
   * @param folder Folder for the file that sets the clock.
   */
  static async install(server: ServerProcess, folder: string): Promise<FakeClock> {
    const clock = new FakeClock(server, join(folder, `clock-${server.port}`));
    await writeFile(clock.file, '+0');
    await server.stop();
    const env = {
      ...server.command.env,
      LD_PRELOAD: await libraryPath(),
      FAKETIME_TIMESTAMP_FILE: clock.file,
      FAKETIME_CACHE_DURATION: REREAD_INTERVAL_SECONDS,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Files must still have their real timestamps.
      NO_FAKE_STAT: '1',
    };
    server.configure({ env });
    await server.start();
    return clock;
  }

  /**
   * Sets the clock ahead by the given number of hours, or back if negative. Resolves once the server's `Date` header
   * reflects the change.
   */
  async jump(hours: number): Promise<void> {
    await writeFile(this.file, `${hours < 0 ? '' : '+'}${hours}h`);
    const isSet = async (): Promise<boolean> => {
      const { headers } = await fetch(`http://127.0.0.1:${this.server.port}/healthz`);
      const ahead = Date.parse(headers.get('date')!) - Date.now();
      return Math.abs(ahead - hours * 3_600_000) < TOLERANCE_MS;
    };
    await until(isSet, { condition: `the clock is ahead by ${hours} h` });
  }
}

async function libraryPath(): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    for await (const path of glob('/usr/lib/*/faketime/libfaketimeMT.so.1')) return path;
    return undefined;
  };
  if ((await find()) === undefined) await installPackages(['libfaketime']);
  const path = await find();
  if (path === undefined) throw new Error('Could not install libfaketime');
  return path;
}
