import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Bus } from '#libs/bus';

/** How long new visits that are handled in this process are waited for at a time, as they may come without a break. */
const MAX_WAIT_MS = 20;
const POLL_INTERVAL_MS = 1;
/** How long after a visit was stored more are expected. */
const LIVE_MS = 1_000;
/** While they are, the share of the time in which the database is kept busy. */
const SHARE = 0.25;

/** Lets new visits come first. */
@Injectable()
export class Pace {
  /** What the newest visit was by the last look, and until when more are expected. */
  private live = { newest: '', lookedAt: -Infinity, until: -Infinity };

  constructor(private readonly bus: Bus) {}

  /**
   * Returns whether visits come, or may come, as some have since somebody looked a while ago.
   *
   * @param newest changes with each visit that is stored, by any process.
   */
  isLive(newest: string): boolean {
    const time = performance.now();
    const isKnown = time - this.live.lookedAt < LIVE_MS;
    const isMore = newest !== this.live.newest;
    this.live = { newest, lookedAt: time, until: isKnown && isMore ? time + LIVE_MS : this.live.until };
    return (!isKnown && isMore) || time < this.live.until;
  }

  /** Resolves in a later turn of the event loop, once no new visits are handled in this process, or after a while. */
  async giveWay(): Promise<void> {
    await nextTurn();
    const until = performance.now() + MAX_WAIT_MS;
    while (this.bus.isHandling && performance.now() < until) await pause(POLL_INTERVAL_MS);
  }

  /**
   * Rests while visits come, after statements that took so many milliseconds.
   *
   * @param closing ends it: of a database that is slow, a rest is long.
   */
  async rest(busy: number, closing: AbortSignal): Promise<void> {
    await pause((busy * (1 - SHARE)) / SHARE, undefined, { signal: closing }).catch(() => undefined);
  }
}
