import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { PubSub } from '#libs/cache';
import { intersectPositions, visitsChannel, type VisitPosition } from '#libs/contracts';
import { READ_POOL_SIZE } from '#libs/database';
import { LOGGER, type Logger, unavailable } from '#libs/platform';
import { TimelineRepository } from '#libs/visit-store';
import pLimit from 'p-limit';
import { StreamBudget } from './stream-budget.js';
import { SseConnection, type SseConnectionOptions } from './sse-connection.js';
import { VisitFeed } from './visit-feed.js';

/** Maintains one feed for each project with live streams, shared by the project's connections. */
@Injectable()
export class VisitStreamService implements BeforeApplicationShutdown {
  private readonly feeds = new Map<string, VisitFeed>();
  private readonly connections = new Set<SseConnection>();
  private readonly limit = pLimit(READ_POOL_SIZE / 2);
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
   * @param lastEventId The client's position. If it's null or past the last visit, the stream starts with the next
   *   visit.
   * @throws {ProblemError} 503 if the process is shutting down, because clients reconnect as soon as their stream ends.
   */
  async startPosition(projectId: string, lastEventId: VisitPosition | null): Promise<VisitPosition> {
    const last = await this.timeline.lastPosition(projectId);
    if (this.isClosing) throw unavailable('The server is shutting down. Reconnect in a moment.');
    return lastEventId === null ? last : intersectPositions(last, lastEventId);
  }

  watch(
    projectId: string,
    response: ConstructorParameters<typeof SseConnection>[0],
    options: SseConnectionOptions,
  ): SseConnection {
    const connection = new SseConnection(response, this.budget, options);
    this.connections.add(connection);
    connection.onDisconnect(() => this.connections.delete(connection));
    void this.getFeed(projectId).join(connection);
    return connection;
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const connection of this.connections) connection.end();
  }

  private getFeed(projectId: string): VisitFeed {
    const existing = this.feeds.get(projectId);
    if (existing !== undefined) return existing;
    const feed: VisitFeed = new VisitFeed(projectId, this.timeline, this.limit, this.logger, () => {
      this.feeds.delete(projectId);
      unsubscribe();
    });
    const unsubscribe = this.pubSub.subscribe(visitsChannel(projectId), () => feed.announce());
    this.feeds.set(projectId, feed);
    return feed;
  }
}
