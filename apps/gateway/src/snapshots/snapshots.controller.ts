import { Controller, Inject } from '@nestjs/common';
import { getSnapshot, MANIFEST_HEADER } from '#libs/contracts';
import { CLOCK, Handle, matchesEntityTag, type Clock, type RequestOf } from '#libs/platform';
import { bearerToken } from '../access/request-token.js';
import { createManifest } from './manifest.js';
import { SnapshotsService } from './snapshots.service.js';

/** Length of an ETag's hash. */
const TAG_LENGTH = 22;

@Controller()
export class SnapshotsController {
  constructor(
    private readonly snapshots: SnapshotsService,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  @Handle(getSnapshot)
  async get({ project, raw, reply }: RequestOf<typeof getSnapshot>): Promise<void> {
    const { snapshot, content, key } = await this.snapshots.find(project);
    const { contentHash, gzipped } = snapshot;
    const { projectId } = project;
    const tag = `"${contentHash.slice(0, TAG_LENGTH)}"`;
    reply.headers({
      etag: tag,
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding',
      [MANIFEST_HEADER]: createManifest({ contentHash, projectId, token: bearerToken(raw), now: this.now() }, key),
    });
    if (matchesEntityTag(raw.headers['if-none-match'], tag)) {
      await reply.code(304).send();
      return;
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    const acceptsGzip = String(raw.headers['accept-encoding'] ?? '').includes('gzip');
    await (acceptsGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(content));
  }
}
