import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { PubSub } from '#libs/cache';
import { visitsChannel } from '#libs/contracts';
import { READING_CONNECTIONS } from '#libs/database';
import { LOGGER, type Logger } from '#libs/platform';
import pLimit from 'p-limit';
import { TimelineRepository } from './timeline.repository.js';
import { Viewer, type ViewerOptions } from './viewer.js';
import { VisitTail } from './visit-tail.js';

/** One tail for each project that is watched, shared by its viewers. */
@Injectable()
export class VisitStreamService implements BeforeApplicationShutdown {
  private readonly tails = new Map<string, VisitTail>();
  private readonly viewers = new Set<Viewer>();
  private readonly limit = pLimit(READING_CONNECTIONS / 2);

  constructor(
    private readonly timeline: TimelineRepository,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param lastEventId where the viewer was; null or beyond the last visit: it starts with what comes next. */
  async startPosition(projectId: string, lastEventId: bigint | null): Promise<bigint> {
    const last = await this.timeline.lastPosition(projectId);
    return lastEventId === null || lastEventId > last ? last : lastEventId;
  }

  /** Sends the project's visits for as long as the viewer stays. */
  watch(projectId: string, response: ConstructorParameters<typeof Viewer>[0], options: ViewerOptions): Viewer {
    const viewer = new Viewer(response, options);
    this.viewers.add(viewer);
    viewer.onGone(() => this.viewers.delete(viewer));
    void this.tailOf(projectId).join(viewer);
    return viewer;
  }

  beforeApplicationShutdown(): void {
    for (const viewer of this.viewers) viewer.end();
  }

  private tailOf(projectId: string): VisitTail {
    const known = this.tails.get(projectId);
    if (known !== undefined) return known;
    const tail: VisitTail = new VisitTail(projectId, this.timeline, this.limit, this.logger, () => {
      this.tails.delete(projectId);
      stop();
    });
    const stop = this.pubSub.subscribe(visitsChannel(projectId), () => tail.announce());
    this.tails.set(projectId, tail);
    return tail;
  }
}
