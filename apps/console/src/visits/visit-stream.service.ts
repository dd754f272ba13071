import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { PubSub } from '#libs/cache';
import { nearest, visitsChannel, type VisitPosition } from '#libs/contracts';
import { READING_CONNECTIONS } from '#libs/database';
import { LOGGER, type Logger, unavailable } from '#libs/platform';
import { TimelineRepository } from '#libs/visit-store';
import pLimit from 'p-limit';
import { StreamBudget } from './stream-budget.js';
import { SseConnection, type SseConnectionOptions } from './sse-connection.js';
import { VisitFeed } from './visit-feed.js';

/** Maintains a feed for each watched project, shared by its connections. */
@Injectable()
export class VisitStreamService implements BeforeApplicationShutdown {
  private readonly feeds = new Map<string, VisitFeed>();
  private readonly connections = new Set<SseConnection>();
  private readonly limit = pLimit(READING_CONNECTIONS / 2);
  private isClosing = false;

  constructor(
    private readonly timeline: TimelineRepository,
    private readonly pubSub: PubSub,
    private readonly budget: StreamBudget,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the position to stream from.
   *
   * @param lastEventId position of the client. Null, or a position past the last visit, starts with the next new visit.
   * @throws ProblemError 503 once the process is stopping. Clients reconnect as soon as their stream ends.
   */
  async startPosition(projectId: string, lastEventId: VisitPosition | null): Promise<VisitPosition> {
    const last = await this.timeline.lastPosition(projectId);
    if (this.isClosing) throw unavailable('This process is stopping. Connect again in a moment.');
    return lastEventId === null ? last : nearest(last, lastEventId);
  }

  watch(
    projectId: string,
    response: ConstructorParameters<typeof SseConnection>[0],
    options: SseConnectionOptions,
  ): SseConnection {
    const connection = new SseConnection(response, this.budget, options);
    this.connections.add(connection);
    connection.onGone(() => this.connections.delete(connection));
    void this.feedOf(projectId).join(connection);
    return connection;
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const connection of this.connections) connection.end();
  }

  private feedOf(projectId: string): VisitFeed {
    const known = this.feeds.get(projectId);
    if (known !== undefined) return known;
    const feed: VisitFeed = new VisitFeed(projectId, this.timeline, this.limit, this.logger, () => {
      this.feeds.delete(projectId);
      stop();
    });
    const stop = this.pubSub.subscribe(visitsChannel(projectId), () => feed.announce());
    this.feeds.set(projectId, feed);
    return feed;
  }
}
