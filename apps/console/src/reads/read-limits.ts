import { Injectable } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import type { Reader } from './fair-queue.js';
import { rejectedReads } from './rejected-reads.js';

/** Maximum number of running and waiting reads per principal. A dashboard page needs up to 20. */
const MAX_READS_PER_PRINCIPAL = 32;
const MAX_READS_PER_PROJECT = 256;
const RETRY_AFTER_SECONDS = 1;

/** Limits the number of running and waiting reads per principal and per project. */
@Injectable()
export class ReadLimits {
  private readonly reads = new Map<string, number>();

  /** @throws {ProblemError} 429 if too many reads are in progress. */
  async run<T>({ principal, project }: Reader, read: () => Promise<T>): Promise<T> {
    const [principalKey, projectKey] = [`principal ${principal}`, `project ${project}`];
    this.rejectIfFull(principalKey, MAX_READS_PER_PRINCIPAL, 'reads_principal', `you have ${MAX_READS_PER_PRINCIPAL}`);
    if (project !== '')
      this.rejectIfFull(projectKey, MAX_READS_PER_PROJECT, 'reads_project', `the project has ${MAX_READS_PER_PROJECT}`);
    this.count(principalKey, 1);
    this.count(projectKey, 1);
    try {
      return await read();
    } finally {
      this.count(principalKey, -1);
      this.count(projectKey, -1);
    }
  }

  private rejectIfFull(name: string, max: number, limit: string, subject: string): void {
    if ((this.reads.get(name) ?? 0) < max) return;
    rejectedReads.inc({ limit });
    throw tooManyRequests(
      `Too many concurrent reads: ${subject} in progress, which is the maximum. Send fewer requests at once.`,
      RETRY_AFTER_SECONDS,
    );
  }

  private count(name: string, by: 1 | -1): void {
    const reads = (this.reads.get(name) ?? 0) + by;
    if (reads === 0) this.reads.delete(name);
    else this.reads.set(name, reads);
  }
}
