import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import type { Reader } from './fair-queue.js';
import { refusedReads } from './refused-reads.js';

/** Maximum number of reads in progress per principal. One dashboard page needs up to 20. */
const MAX_OF_PRINCIPAL = 32;
const MAX_OF_PROJECT = 256;
const RETRY_AFTER_SECONDS = 1;

/** Limits the running and waiting reads of each principal and project. */
@Injectable()
export class ReadLimits {
  private readonly reads = new Map<string, number>();

  /** @throws {ProblemError} 429 if too many reads are in progress. */
  async run<T>({ principal, project }: Reader, read: () => Promise<T>): Promise<T> {
    const [ofPrincipal, ofProject] = [`principal ${principal}`, `project ${project}`];
    this.refuseAt(ofPrincipal, MAX_OF_PRINCIPAL, 'reads_principal', `${MAX_OF_PRINCIPAL} of yours`);
    if (project !== '') this.refuseAt(ofProject, MAX_OF_PROJECT, 'reads_project', `${MAX_OF_PROJECT} of the project`);
    this.count(ofPrincipal, 1);
    this.count(ofProject, 1);
    try {
      return await read();
    } finally {
      this.count(ofPrincipal, -1);
      this.count(ofProject, -1);
    }
  }

  private refuseAt(name: string, max: number, limit: string, whose: string): void {
    if ((this.reads.get(name) ?? 0) < max) return;
    refusedReads.inc({ limit });
    throw tooManyRequests(
      `Too many requests are reading at the same time: ${whose}, which is the limit. Send fewer at once.`,
      RETRY_AFTER_SECONDS,
    );
  }

  private count(name: string, by: 1 | -1): void {
    const reads = (this.reads.get(name) ?? 0) + by;
    if (reads === 0) this.reads.delete(name);
    else this.reads.set(name, reads);
  }
}
