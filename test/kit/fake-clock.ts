import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../stack/packages.ts';
import type { ServerProcess } from '../stack/server-process.ts';
import { until } from './instance.js';

/** Interval at which libfaketime rereads its file. Rereading it on each call would keep the services busy. */
const LOOK_INTERVAL_SECONDS = '1';
/** More than the resolution of the `Date` header, which is one second. */
const TOLERANCE_MS = 5_000;

/** Wall clock of a server, faked with libfaketime. Monotonic time and timers aren't affected. */
export class FakeClock {
  private constructor(
    private readonly server: ServerProcess,
    private readonly file: string,
  ) {}

  /** Restarts an HTTP server with a clock that can be set. @param folder Folder of the file that sets the clock. */
  static async of(server: ServerProcess, folder: string): Promise<FakeClock> {
    const clock = new FakeClock(server, join(folder, `clock-${server.port}`));
    await writeFile(clock.file, '+0');
    await server.stop();
    const env = {
      ...server.command.env,
      LD_PRELOAD: await libraryPath(),
      FAKETIME_TIMESTAMP_FILE: clock.file,
      FAKETIME_CACHE_DURATION: LOOK_INTERVAL_SECONDS,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Keeps the real timestamps of files.
      NO_FAKE_STAT: '1',
    };
    server.change({ env });
    await server.start();
    return clock;
  }

  /** Sets the clock ahead by that many hours, or back if negative. Resolves once the server's responses show it. */
  async jump(hours: number): Promise<void> {
    await writeFile(this.file, `${hours < 0 ? '' : '+'}${hours}h`);
    const isSet = async (): Promise<boolean> => {
      const { headers } = await fetch(`http://127.0.0.1:${this.server.port}/healthz`);
      const ahead = Date.parse(headers.get('date')!) - Date.now();
      return Math.abs(ahead - hours * 3_600_000) < TOLERANCE_MS;
    };
    await until(isSet, { what: `the clock is ahead by ${hours} h` });
  }
}

async function libraryPath(): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    for await (const path of glob('/usr/lib/*/faketime/libfaketimeMT.so.1')) return path;
    return undefined;
  };
  if ((await find()) === undefined) await installPackages(['libfaketime']);
  const path = await find();
  if (path === undefined) throw new Error('libfaketime could not be installed');
  return path;
}
