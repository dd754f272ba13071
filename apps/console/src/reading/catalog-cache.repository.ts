import { Injectable } from '@nestjs/common';
import type { JsonText } from '#libs/platform';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';

const MAX_ANSWERS = 500;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Maximum age. A catalog process can briefly lag behind the database, so a cached response can be outdated. */
const MAX_AGE_MS = 30_000;

/** Caches responses that depend only on the catalog, until it changes. */
@Injectable()
export class CatalogCacheRepository {
  private readonly answers = new LRUCache<string, JsonText>({
    max: MAX_ANSWERS,
    ttl: MAX_AGE_MS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
  });
  private readonly reads = new Map<string, Promise<JsonText>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a response as JSON. Concurrent requests for the same URL share one read.
   *
   * @param url path and query.
   */
  async read(url: string, read: () => Promise<unknown>): Promise<JsonText> {
    const [{ revision }]: [{ revision: string }] = await this.dataSource.query(`SELECT revision FROM catalog_state`);
    const key = `${revision} ${url}`;
    const known = this.answers.get(key) ?? this.reads.get(key);
    if (known !== undefined) return known;
    const reading = this.readAnew(key, read);
    this.reads.set(key, reading);
    return reading;
  }

  private async readAnew(key: string, read: () => Promise<unknown>): Promise<JsonText> {
    try {
      const text = JSON.stringify(await read()) as JsonText;
      this.answers.set(key, text);
      return text;
    } finally {
      this.reads.delete(key);
    }
  }
}
