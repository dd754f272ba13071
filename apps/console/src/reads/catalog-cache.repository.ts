import { Injectable } from '@nestjs/common';
import type { JsonText } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

const MAX_RESPONSES = 500;
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;
/** Limits how long an outdated response is served. A catalog process can briefly lag behind the database's revision. */
const MAX_AGE_MS = 30_000;

/** Caches responses built only from catalog data until the catalog's revision changes. */
@Injectable()
export class CatalogCacheRepository {
  private readonly responses = new LRUCache<string, JsonText>({
    max: MAX_RESPONSES,
    ttl: MAX_AGE_MS,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
  });
  private readonly pendingReads = new Map<string, Promise<JsonText>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the cached JSON response, or builds it with `read`. Concurrent requests for the same URL share one read.
   *
   * @param url Path and query, used as the cache key.
   */
  async read(url: string, read: () => Promise<unknown>): Promise<JsonText> {
    const [{ revision }]: [{ revision: string }] = await this.dataSource.query(`SELECT revision FROM catalog_state`);
    const key = `${revision} ${url}`;
    const cached = this.responses.get(key) ?? this.pendingReads.get(key);
    if (cached !== undefined) return cached;
    const pendingRead = this.load(key, read);
    this.pendingReads.set(key, pendingRead);
    return pendingRead;
  }

  private async load(key: string, read: () => Promise<unknown>): Promise<JsonText> {
    try {
      const text = JSON.stringify(await read()) as JsonText;
      this.responses.set(key, text);
      return text;
    } finally {
      this.pendingReads.delete(key);
    }
  }
}
