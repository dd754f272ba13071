import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bus } from '#libs/bus';

/** Maximum wait until new visits are handled. They may arrive without a break. */
const MAX_WAIT_MS = 20;
const POLL_INTERVAL_MS = 1;
/** How long after a new visit more are expected. */
const LIVE_MS = 1_000;
/** Share of the time in which the database may be busy while new visits arrive. */
const SHARE = 0.25;

/** Gives new visits priority over re-identification. */
@Injectable()
export class Pace {
  /** Newest visit at the last check, and until when more are expected. */
  private live = { newest: '', lookedAt: -Infinity, until: -Infinity };

  constructor(private readonly bus: Bus) {}

  /**
   * Returns whether new visits are arriving. If the last check was a while ago, a single new visit since then counts.
   *
   * @param newest Value that changes with each visit stored by any process.
   */
  isLive(newest: string): boolean {
    const time = performance.now();
    const isKnown = time - this.live.lookedAt < LIVE_MS;
    const isMore = newest !== this.live.newest;
    this.live = { newest, lookedAt: time, until: isKnown && isMore ? time + LIVE_MS : this.live.until };
    return (!isKnown && isMore) || time < this.live.until;
  }

  /** Waits until this process has no new visits to handle, up to the maximum wait. Always yields to the event loop. */
  async giveWay(): Promise<void> {
    await nextTurn();
    const until = performance.now() + MAX_WAIT_MS;
    while (this.bus.isHandling && performance.now() < until) await pause(POLL_INTERVAL_MS);
  }

  /**
   * Pauses so that the database is busy for only a share of the time.
   *
   * @param busy Milliseconds that the last statements took.
   * @param closing Ends the pause, which is long if the database is slow.
   */
  async rest(busy: number, closing: AbortSignal): Promise<void> {
    await pause((busy * (1 - SHARE)) / SHARE, undefined, { signal: closing }).catch(() => undefined);
  }
}
