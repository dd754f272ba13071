import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#libs/platform';
import type { LimitFunction } from 'p-limit';
import type { StreamedPart, TimelineRepository } from './timeline.repository.js';
import type { Viewer } from './viewer.js';

/** Visits that are read at a time, at most. */
const MAX_VISITS = 200;
/** A missed announcement delays visits by this at most. */
const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Follows the visits of one project for all of its viewers. What is announced only wakes it up: the visits are
 * read from the database in the order of commits, so nothing is missed and nothing comes twice.
 */
export class VisitTail {
  private readonly viewers = new Set<Viewer>();
  private joining = 0;
  private position: bigint | null = null;
  private wake: () => void = () => undefined;
  private woken = false;
  private following: Promise<void> | null = null;

  constructor(
    private readonly projectId: string,
    private readonly timeline: TimelineRepository,
    /** Lets streams have some of the connections for reading, and never all. */
    private readonly limit: LimitFunction,
    private readonly logger: Logger,
    private readonly ended: () => void,
  ) {}

  /** Catches the viewer up from the database, then lets it follow. Resolves once it follows, or is gone. */
  async join(viewer: Viewer): Promise<void> {
    this.joining += 1;
    try {
      this.position ??= await this.retried(() => this.timeline.lastPosition(this.projectId));
      this.following ??= this.follow();
      while (!viewer.isGone && viewer.position < this.position) {
        const { visits } = await this.after(viewer.position);
        // Positions without a visit are those of visits that came a second time, or are past the retention.
        if (visits.length === 0) break;
        viewer.send(visits);
        await viewer.drained();
      }
      if (viewer.isGone) return;
      this.viewers.add(viewer);
      viewer.onGone(() => this.viewers.delete(viewer));
    } finally {
      this.joining -= 1;
    }
  }

  /** New visits were announced. */
  announce(): void {
    this.woken = true;
    this.wake();
  }

  private async follow(): Promise<void> {
    while (this.viewers.size > 0 || this.joining > 0) {
      const { visits, hasMore } = await this.after(this.position!);
      if (visits.length > 0) {
        this.position = visits.at(-1)!.position;
        for (const viewer of this.viewers) viewer.send(visits);
      }
      if (!hasMore) await this.untilAnnounced();
      this.woken = false;
    }
    this.ended();
  }

  private after(position: bigint): Promise<StreamedPart> {
    return this.retried(() => this.limit(() => this.timeline.after(this.projectId, position, MAX_VISITS)));
  }

  private async untilAnnounced(): Promise<void> {
    if (this.woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Streams stay open while the database is away. */
  private async retried<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.logger.warn({ err: error }, 'visits to stream can not be read; trying again');
        await sleep(RETRY_MS);
      }
    }
  }
}
