import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bus } from '#libs/bus';

/**
 * Maximum duration of a wait. Without it, re-identification would never continue while new visits arrive without a
 * break.
 */
const MAX_WAIT_MS = 20;
const POLL_INTERVAL_MS = 1;
/** How long new visits are considered to be arriving after the last one. */
const LIVE_WINDOW_MS = 1_000;
/** Maximum share of the time that re-identification may keep the database busy while new visits are arriving. */
const MAX_BUSY_SHARE = 0.25;

/** Gives new visits priority over re-identification. */
@Injectable()
export class ReidentificationThrottle {
  /**
   * Newest visit as of the last check, the time of that check, and the time until which new visits are considered to be
   * arriving.
   */
  private live = { newest: '', lookedAt: -Infinity, until: -Infinity };

  constructor(private readonly bus: Bus) {}

  /**
   * Returns whether new visits are arriving. After a long gap between checks, a single new visit is enough.
   *
   * @param newest Value that changes whenever any process stores a visit.
   */
  isLive(newest: string): boolean {
    const time = performance.now();
    const wasCheckedRecently = time - this.live.lookedAt < LIVE_WINDOW_MS;
    const hasNewVisit = newest !== this.live.newest;
    this.live = {
      newest,
      lookedAt: time,
      until: wasCheckedRecently && hasNewVisit ? time + LIVE_WINDOW_MS : this.live.until,
    };
    return (!wasCheckedRecently && hasNewVisit) || time < this.live.until;
  }

  /** Waits until this process has no new visits to handle, within a time limit. Always yields to the event loop. */
  async yieldToNewVisits(): Promise<void> {
    await setImmediate();
    const until = performance.now() + MAX_WAIT_MS;
    while (this.bus.isHandling && performance.now() < until) await sleep(POLL_INTERVAL_MS);
  }

  /**
   * Pauses to limit the share of time that the database is busy.
   *
   * @param busyMs Duration of the last statements in milliseconds.
   * @param signal Ends the pause early. Pauses are long if the database is slow.
   */
  async limitLoad(busyMs: number, signal: AbortSignal): Promise<void> {
    await sleep((busyMs * (1 - MAX_BUSY_SHARE)) / MAX_BUSY_SHARE, undefined, { signal }).catch(() => undefined);
  }
}
