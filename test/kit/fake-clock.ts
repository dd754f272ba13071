import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../stack/packages.ts';
import type { ServerProcess } from '../stack/server-process.ts';
import { until } from './instance.js';

/** Seconds between two looks of libfaketime at its file; with each call the services would do little else. */
const LOOK_INTERVAL_SECONDS = '1';
/** The header `Date` is in whole seconds. */
const TOLERANCE_MS = 5_000;

/** The system's clock as a server sees it, by libfaketime. What counts time that went by, such as timers, is as before. */
export class FakeClock {
  private constructor(
    private readonly server: ServerProcess,
    private readonly file: string,
  ) {}

  /** Starts an HTTP server anew with a clock that can be set. @param folder for how it is set. */
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
      // Times of files stay as they are.
      NO_FAKE_STAT: '1',
    };
    server.change({ env });
    await server.start();
    return clock;
  }

  /** Sets it ahead by so many hours; back if negative. Resolves when the server's answers say so. */
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
